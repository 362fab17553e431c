import { overlayPart } from '../../../lib/page/part.tsx'

/** Menus and dialogs of a list, loaded with the first of them. */
export const PaneOverlays = overlayPart(async () => (await import('./PaneOverlays.tsx')).PaneOverlays)
