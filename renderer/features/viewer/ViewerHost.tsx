import { part } from '../../lib/page/part.tsx'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { viewerClosed } from '../../store/window/overlays.ts'
import { UntilBack } from '../connection/index.ts'

/** Its code is fetched from the bundle when first wanted. */
const Viewer = part(async () => (await import('./Viewer.tsx')).Viewer)

/** The viewer, while someone looks at something. */
export function ViewerHost() {
  const dispatch = useAppDispatch()
  const asked = useAppSelector((state) => state.overlays.viewer)
  if (asked === undefined) return null
  return (
    <UntilBack onClose={() => void dispatch(viewerClosed())}>
      <Viewer key={`${asked.messageId}.${asked.index}`} asked={asked} />
    </UntilBack>
  )
}
