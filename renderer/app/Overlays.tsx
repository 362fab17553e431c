import { ForwardHost } from '../features/messages/index.ts'
import { ViewerHost } from '../features/viewer/index.ts'
import { Region } from './Region.tsx'

/** What any part of the window may lay over the whole of it, beside the dialogs. */
export function Overlays() {
  return (
    <Region where="dialog">
      <ForwardHost />
      <ViewerHost />
    </Region>
  )
}
