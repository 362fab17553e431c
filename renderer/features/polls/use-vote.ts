import { useEffect, useState } from 'react'
import type { Poll, PollOption } from '#shared/domain/poll.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { castVote, removeVote } from './commands.ts'

const UNDO_MS = 5_000

type Voted = {
  readonly option: PollOption
  /** True if the vote was added, false if removed. */
  readonly given: boolean
  /** The option this vote replaced. */
  readonly before: PollOption | undefined
}

/** Adds or removes a vote. `refusal`: why the last vote was refused; `undo` reverts the last vote for a while. */
export function useVote(messageId: MessageId) {
  const dispatch = useAppDispatch()
  const [refusal, setRefusal] = useState<ErrorBody>()
  const [voted, setVoted] = useState<Voted>()
  useEffect(() => {
    if (voted === undefined) return undefined
    const timer = setTimeout(() => setVoted(undefined), UNDO_MS)
    return () => clearTimeout(timer)
  }, [voted])
  const change = async (optionId: string, give: boolean): Promise<boolean> => {
    const result = await dispatch((give ? castVote : removeVote)({ messageId, optionId }))
    setRefusal(result.ok ? undefined : result.error)
    return result.ok
  }
  return {
    refusal,
    voted,
    vote: async (poll: Poll, option: PollOption): Promise<void> => {
      const before = poll.enforceUniqueVote && !option.own ? poll.options.find(({ own }) => own) : undefined
      const done = await change(option.id, !option.own)
      setVoted(done ? { option, given: !option.own, before } : undefined)
    },
    undo: async (): Promise<void> => {
      setVoted(undefined)
      if (voted === undefined) return
      if (voted.before === undefined) await change(voted.option.id, !voted.given)
      else await change(voted.before.id, true)
    },
  }
}
