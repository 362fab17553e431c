import { ForwardHost } from '../features/messages/index.ts'
import { ViewerHost } from '../features/viewer/index.ts'
import { Region } from './Region.tsx'

/** Overlays other than dialogs: the forward picker and the media viewer. */
export function Overlays() {
  return (
    <Region where="dialog">
      <ForwardHost />
      <ViewerHost />
    </Region>
  )
}
