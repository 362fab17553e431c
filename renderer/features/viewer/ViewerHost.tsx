import { lazy, Suspense } from 'react'
import { useAppSelector } from '../../store/hooks.ts'

/** Its code is fetched from the bundle when first wanted. */
const Viewer = lazy(async () => ({ default: (await import('./Viewer.tsx')).Viewer }))

/** The viewer, while someone looks at something. */
export function ViewerHost() {
  const asked = useAppSelector((state) => state.overlays.viewer)
  if (asked === undefined) return null
  return (
    <Suspense fallback={null}>
      <Viewer key={`${asked.messageId}.${asked.index}`} asked={asked} />
    </Suspense>
  )
}
