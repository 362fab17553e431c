import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { selectMessage } from '../../store/selectors.ts'
import type { ComposerState } from '../../store/composers.ts'
import { saveEdit, sendComposition, warnOfCommand, warnOfUploads } from './commands.ts'
import type { Decision } from './decision.ts'
import { mentionedIn, type Person } from './mentions.ts'
import { rememberSend } from './learned.ts'
import type { Place } from './place.ts'

export type SendHow = {
  /** "Send when ready" and "Send when allowed". */
  readonly whenReady?: boolean
  /** Nobody is notified. */
  readonly silent?: boolean
  /** "Send later": epoch milliseconds. */
  readonly sendAt?: number
}

/**
 * Sends or saves what stands in the composer, if the decision allows; otherwise the status line already says why.
 */
export function useSend(
  place: Place,
  decision: Decision,
  composer: ComposerState,
  people: readonly Person[],
  onSent: () => void,
): (how?: SendHow) => void {
  const dispatch = useAppDispatch()
  const users = useAppSelector((state) => state.entities.users)
  const editedId = composer.editing?.messageId
  const edited = useAppSelector((state) => (editedId === undefined ? undefined : selectMessage(state, editedId)))

  const mentioned = () => {
    const before = (edited?.mentionedUserIds ?? []).map((id) => ({ id, name: users[id]?.name ?? '', inChannel: true }))
    return mentionedIn(composer.text, [...people, ...before])
  }

  return (how = {}) => {
    const whenReady = how.whenReady === true || how.sendAt !== undefined
    switch (decision.kind) {
      case 'save':
        void dispatch(saveEdit(place, mentioned()))
        return
      case 'uploading':
        // Files that have not arrived by then are waited for; one that failed has to be seen to first.
        if (!whenReady || decision.stuck) {
          dispatch(warnOfUploads())
          return
        }
        break
      case 'slow':
        if (!whenReady) return
        break
      case 'ready':
      case 'outbox':
        break
      case 'command':
        dispatch(warnOfCommand(decision.why))
        return
      case 'empty':
      case 'editEmpty':
      case 'editGone':
      case 'tooLong':
      case 'uploadFailed':
        return
    }
    rememberSend()
    onSent()
    void dispatch(sendComposition(place, mentioned(), { ...how, whenReady: whenReady || decision.kind === 'outbox' }))
  }
}
