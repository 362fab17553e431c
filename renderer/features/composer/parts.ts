import { overlayPart } from '../../lib/page/part.tsx'

/** What a composer shows only sometimes: one file, loaded with the first of it. */
const load = () => import('./extras.ts')

export const EditFiles = overlayPart(async () => (await load()).EditFiles)
export const Tray = overlayPart(async () => (await load()).Tray)
export const Preview = overlayPart(async () => (await load()).Preview)
export const Previews = overlayPart(async () => (await load()).Previews)
export const VoiceBar = overlayPart(async () => (await load()).VoiceBar)

export const COMPOSER_PARTS = [EditFiles, Tray, Preview, Previews, VoiceBar] as const
