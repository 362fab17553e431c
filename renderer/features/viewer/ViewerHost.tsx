import { part } from '../../lib/page/part.tsx'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { viewerClosed } from '../../store/window/overlays.ts'
import { UntilLoaded } from '../connection/index.ts'

/** Loaded on demand. */
const Viewer = part(async () => (await import('./Viewer.tsx')).Viewer)

/** The viewer, while an item is open. */
export function ViewerHost() {
  const dispatch = useAppDispatch()
  const target = useAppSelector((state) => state.overlays.viewer)
  if (target === undefined) return null
  return (
    <UntilLoaded onClose={() => void dispatch(viewerClosed())}>
      <Viewer key={`${target.messageId}.${target.index}`} target={target} />
    </UntilLoaded>
  )
}
