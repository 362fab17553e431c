import { may } from '#shared/rules/channels/capabilities.ts'
import { isOver } from '#shared/rules/polls/polls.ts'
import { part } from '../../lib/page/part.tsx'
import { useLiveClock } from '../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector, useChannel } from '../../store/hooks.ts'
import type { Dialogs } from '../../store/window/kinds.ts'
import { dialogClosed } from '../../store/window/ui.ts'

const ResultsDialog = part(async () => (await import('./ResultsDialog.tsx')).ResultsDialog)
const AnswersDialog = part(async () => (await import('./ResultsDialog.tsx')).AnswersDialog)
const SuggestDialog = part(async () => (await import('./PollDialogs.tsx')).SuggestDialog)
const CloseDialog = part(async () => (await import('./PollDialogs.tsx')).CloseDialog)
const DeletePollDialog = part(async () => (await import('./PollDialogs.tsx')).DeletePollDialog)
const EditPollDialog = part(async () => (await import('./edit/EditPollDialog.tsx')).EditPollDialog)
const ChangesDialog = part(async () => (await import('./edit/EditPollDialog.tsx')).ChangesDialog)
const RemindDialog = part(async () => (await import('./PollDialogs.tsx')).RemindDialog)

/** The dialogs of a poll, one at a time. */
export function PollQuestions({ what, cid, messageId, pollId }: Dialogs['of-poll']) {
  const dispatch = useAppDispatch()
  const storedPoll = useAppSelector((state) => state.entities.polls[pollId])
  const channel = useChannel(cid)
  const now = useLiveClock(storedPoll?.closesAt === undefined || storedPoll.closed ? [] : [storedPoll.closesAt])
  if (storedPoll === undefined) return null
  const poll = { ...storedPoll, closed: isOver(storedPoll, now) }
  const isOpen = !poll.closed && channel !== undefined && may(channel, 'cast-poll-vote')
  const common = { poll, messageId, onClose: (): void => void dispatch(dialogClosed()) }
  return (
    <>
      {what === 'results' ? <ResultsDialog {...common} /> : null}
      {what === 'answers' ? <AnswersDialog {...common} speaks={poll.allowAnswers === true && isOpen} /> : null}
      {what === 'suggest' ? <SuggestDialog {...common} /> : null}
      {what === 'edit' ? <EditPollDialog {...common} /> : null}
      {what === 'remind' ? <RemindDialog messageId={messageId} onClose={common.onClose} /> : null}
      {what === 'changes' ? <ChangesDialog changes={poll.changes ?? []} onClose={common.onClose} /> : null}
      {what === 'delete' ? <DeletePollDialog messageId={messageId} onClose={common.onClose} /> : null}
      {what === 'close' ? <CloseDialog {...common} /> : null}
    </>
  )
}
