export type Theme = 'system' | 'light' | 'dark' | 'hc-light' | 'hc-dark'
export type Density = 'comfortable' | 'compact'
export type Language = 'system' | 'en' | 'pl' | 'ru'

/** What the user chose. One definition; main checks it on disk and on the bridge. */
export type Settings = {
  readonly theme: Theme
  readonly density: Density
  /** Percent of the normal text size: 90 to 150. */
  readonly textScale: number
  readonly motion: 'system' | 'full' | 'reduced'
  readonly language: Language
  readonly clock: 'auto' | '12h' | '24h'
  readonly enterSends: boolean
  readonly publishTyping: boolean
  readonly sidebarWidth: number
  readonly panelWidth: number
  readonly sidebarCollapsed: boolean
  readonly closedSections: readonly string[]
  readonly lastChannel?: string
}

/** What a fresh profile starts with, and what stands before the engine has answered. Sizes: design reference, section 3. */
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
