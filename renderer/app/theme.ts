import { useEffect, useRef, useSyncExternalStore } from 'react'
import { DEFAULT_SETTINGS, type Settings, type Theme } from '#shared/domain/settings.ts'
import type { HostInfo } from '#shared/bridge/transport.ts'
import { isSaving, subscribeSaving } from '../lib/page/environment.ts'
import {
  forgetChoice,
  languageNow,
  resolveLanguage,
  setClock,
  setLanguage,
  setWeekStart,
  storeChoice,
  subscribeLanguage,
  systemLanguages,
} from '../i18n/index.ts'
import { languageShown } from '../store/window/host.ts'
import type { AppStore } from '../store/store.ts'

/** Local storage key of the last look, used before the settings are loaded, so that the start does not flash. */
const REMEMBERED = 'parlor.look'

type Look = Pick<Settings, 'theme' | 'density' | 'accent' | 'messageWidth' | 'textScale' | 'motion'>

type ResolvedTheme = Exclude<Theme, 'system'>

const queries = {
  dark: '(prefers-color-scheme: dark)',
  contrast: '(prefers-contrast: more)',
}

/** The system's preferences. */
type System = { readonly dark: boolean; readonly contrast: boolean }

/** Resolves "System" to one of the four themes. */
function resolveTheme(theme: Theme, system: System): ResolvedTheme {
  if (theme !== 'system') return theme
  if (system.contrast) return system.dark ? 'hc-dark' : 'hc-light'
  return system.dark ? 'dark' : 'light'
}

/** Sets the attributes that the design tokens depend on. */
export function applyLook(look: Look, system: System = currentSystem()): void {
  const root = document.documentElement
  root.dataset['theme'] = resolveTheme(look.theme, system)
  root.dataset['density'] = look.density
  // The default accent is in tokens.css itself and has no separate rule.
  if (look.accent === 'velvet') delete root.dataset['accent']
  else root.dataset['accent'] = look.accent
  root.dataset['width'] = look.messageWidth
  if (look.motion === 'system') delete root.dataset['motion']
  else root.dataset['motion'] = look.motion
  root.style.fontSize = look.textScale === 100 ? '' : `${look.textScale}%`
}

/** Runs first on the page. If local storage is blocked or holds something invalid, the page follows the system. */
export function applyRememberedLook(): void {
  try {
    const look: unknown = JSON.parse(localStorage.getItem(REMEMBERED) ?? 'null')
    if (isLook(look)) applyLook(look)
  } catch {
    applyLook(DEFAULT_SETTINGS)
  }
}

function isLook(value: unknown): value is Look {
  return (
    typeof value === 'object' &&
    value !== null &&
    'theme' in value &&
    ['system', 'light', 'dark', 'hc-light', 'hc-dark'].includes(String(value.theme)) &&
    'density' in value &&
    'accent' in value &&
    'messageWidth' in value &&
    'motion' in value &&
    'textScale' in value &&
    typeof value.textScale === 'number'
  )
}

/** Keeps the page's attributes, language and clock in sync with the settings and the system. */
export function useLook(settings: Settings, host: HostInfo): void {
  const dark = useSyncExternalStore(subscribeSystem, () => prefers('dark'))
  const contrast = useSyncExternalStore(subscribeSystem, () => prefers('contrast'))
  const saving = useSyncExternalStore(subscribeSaving, isSaving)
  const { theme, density, accent, messageWidth, textScale, motion, language, clock, weekStart } = settings
  useEffect(() => {
    const look: Look = { theme, density, accent, messageWidth, textScale, motion }
    // An explicit choice of motion wins over battery saving.
    applyLook(saving && motion === 'system' ? { ...look, motion: 'reduced' } : look, { dark, contrast })
    localStorage.setItem(REMEMBERED, JSON.stringify(look))
  }, [theme, density, accent, messageWidth, textScale, motion, dark, contrast, saving])
  useChosenLanguage(language, host.kind)
  useEffect(() => setClock(clock, host.clock24h), [clock, host.clock24h])
  useEffect(() => setWeekStart(weekStart), [weekStart])
}

/** Changing back to "System" clears the stored language; a page that starts with "System" keeps it. */
function useChosenLanguage(setting: Settings['language'], kind: HostInfo['kind']): void {
  const before = useRef(setting)
  useEffect(() => {
    if (setting === 'system' && before.current !== 'system') forgetChoice()
    before.current = setting
    storeChoice(setting, kind)
    void setLanguage(resolveLanguage(setting, systemLanguages(kind)))
  }, [setting, kind])
}

/** Puts the current language into the store, for sorting by name. Returns a function that stops it. */
export function followLanguage(store: AppStore): () => void {
  const follow = (): void => void store.dispatch(languageShown(languageNow()))
  follow()
  return subscribeLanguage(follow)
}

const currentSystem = (): System => ({ dark: prefers('dark'), contrast: prefers('contrast') })

const prefers = (what: keyof System): boolean => window.matchMedia(queries[what]).matches

function subscribeSystem(listener: () => void): () => void {
  const media = Object.values(queries).map((query) => window.matchMedia(query))
  for (const query of media) query.addEventListener('change', listener)
  return () => {
    for (const query of media) query.removeEventListener('change', listener)
  }
}
