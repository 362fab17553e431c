import { overlayPart, typedPart } from '../../lib/page/part.tsx'

/** What a composer shows only sometimes, loaded with the first of it. */
export const AskDialog = typedPart(async () => (await import('./send/dialogs.tsx')).AskDialog)
export const EditFiles = overlayPart(async () => (await import('./files/Tray.tsx')).EditFiles)
export const Tray = overlayPart(async () => (await import('./files/Tray.tsx')).Tray)
export const PlusMenu = overlayPart(async () => (await import('./format/PlusMenu.tsx')).PlusMenu)
export const Preview = overlayPart(async () => (await import('./previews/Previews.tsx')).Preview)
export const Previews = overlayPart(async () => (await import('./previews/Previews.tsx')).Previews)
export const Remedy = overlayPart(async () => (await import('./Remedy.tsx')).Remedy)
export const ScheduleDialog = typedPart(async () => (await import('./send/dialogs.tsx')).ScheduleDialog)
export const SendMenu = overlayPart(async () => (await import('./send/dialogs.tsx')).SendMenu)
export const SuggestionList = overlayPart(async () => (await import('./suggestions/SuggestionList.tsx')).SuggestionList)
export const VoiceBar = overlayPart(async () => (await import('./voice/VoiceBar.tsx')).VoiceBar)

export const COMPOSER_PARTS = [
  AskDialog,
  EditFiles,
  PlusMenu,
  Preview,
  Previews,
  Remedy,
  ScheduleDialog,
  SendMenu,
  SuggestionList,
  Tray,
  VoiceBar,
] as const
