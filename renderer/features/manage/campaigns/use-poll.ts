import { useEffect, useState } from 'react'
import type { CampaignPoll } from '#shared/domain/manage/campaigns.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { loadCampaignPoll } from './commands.ts'

/** The poll of a message: `gone` where the server has none anymore, absent while it is loaded or cannot be. */
export function usePoll(pollId: string | undefined): CampaignPoll | 'gone' | undefined {
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly poll: CampaignPoll | 'gone' }>()
  useEffect(() => {
    let wanted = true
    const load = async (id: string): Promise<void> => {
      const reply = await dispatch(loadCampaignPoll({ id }))
      if (wanted && reply.ok) setLoaded({ id, poll: reply.value.poll ?? 'gone' })
    }
    if (pollId !== undefined && !offline) void load(pollId)
    return () => {
      wanted = false
    }
  }, [dispatch, pollId, offline])
  return loaded?.id === pollId ? loaded?.poll : undefined
}
