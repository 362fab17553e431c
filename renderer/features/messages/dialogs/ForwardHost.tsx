import { overlayPart } from '../../../lib/page/part.tsx'
import { useAppSelector } from '../../../store/hooks.ts'

const ForwardDialog = overlayPart(async () => (await import('./ForwardDialog.tsx')).ForwardDialog)

/** Renders the dialog while it is open. */
export function ForwardHost() {
  const messageIds = useAppSelector((state) => state.overlays.forward)
  return messageIds === undefined ? null : <ForwardDialog key={messageIds.join()} messageIds={messageIds} />
}
