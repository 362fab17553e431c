import { overlayPart } from '../../lib/page/part.tsx'

/** What a composer shows only sometimes, loaded with the first of it. */
export const EditFiles = overlayPart(async () => (await import('./files/Tray.tsx')).EditFiles)
export const Tray = overlayPart(async () => (await import('./files/Tray.tsx')).Tray)
export const Preview = overlayPart(async () => (await import('./previews/Previews.tsx')).Preview)
export const Previews = overlayPart(async () => (await import('./previews/Previews.tsx')).Previews)
export const VoiceBar = overlayPart(async () => (await import('./voice/VoiceBar.tsx')).VoiceBar)

export const COMPOSER_PARTS = [EditFiles, Tray, Preview, Previews, VoiceBar] as const
