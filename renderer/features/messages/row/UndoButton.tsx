import type { Message } from '#shared/domain/message.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { undoHeld } from '../../../store/window/held.ts'

/** Undoes a held message or deletion: the text returns to the composer, or the message stays. */
export function UndoButton({ message }: { readonly message: Message }) {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  return (
    <button type="button" data-undo={message.id} onClick={() => void dispatch(undoHeld(message))}>
      {t('status.undo')}
    </button>
  )
}
