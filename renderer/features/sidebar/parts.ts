import { overlayPart, typedPart } from '../../lib/page/part.tsx'

/** What opens over the sidebar and a header. */
export const RowMenu = overlayPart(async () => (await import('./menus/menus.tsx')).RowMenu)
export const ChannelMenu = overlayPart(async () => (await import('./menus/menus.tsx')).ChannelMenu)
export const SectionMenu = overlayPart(async () => (await import('./menus/menus.tsx')).SectionMenu)
export const MeMenu = overlayPart(async () => (await import('./menus/MeMenu.tsx')).MeMenu)
export const PauseDialog = typedPart(async () => (await import('./menus/MeMenu.tsx')).PauseDialog)

export const SIDEBAR_PARTS = [RowMenu, ChannelMenu, SectionMenu, MeMenu, PauseDialog] as const
