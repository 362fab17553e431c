import { typedPart } from '../../../lib/page/part.tsx'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { forwardClosed } from '../../../store/window/overlays.ts'

const ForwardDialog = typedPart(async () => (await import('./ForwardDialog.tsx')).ForwardDialog)

/** Renders the dialog while it is open. */
export function ForwardHost() {
  const messageIds = useAppSelector((state) => state.overlays.forward)
  const dispatch = useAppDispatch()
  if (messageIds === undefined) return null
  return (
    <ForwardDialog key={messageIds.join()} messageIds={messageIds} onClose={() => void dispatch(forwardClosed())} />
  )
}
