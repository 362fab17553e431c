import type { Settings } from '#shared/domain/settings.ts'

/** What a fresh profile starts with. Sizes: design reference, section 3. */
export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  density: 'comfortable',
  textScale: 100,
  motion: 'system',
  language: 'system',
  clock: 'auto',
  enterSends: true,
  publishTyping: true,
  sidebarWidth: 264,
  panelWidth: 392,
  sidebarCollapsed: false,
  closedSections: [],
}
