import { useEffect, useRef, useSyncExternalStore } from 'react'
import { DEFAULT_SETTINGS, type Settings, type Theme } from '#shared/domain/settings.ts'
import type { HostInfo } from '#shared/bridge/host-info.ts'
import { isSaving, subscribeSaving } from '../lib/page/saving.ts'
import {
  forgetChoice,
  i18next,
  resolveLanguage,
  setClock,
  setLanguage,
  setWeekStart,
  storeChoice,
  subscribeLanguage,
  systemLanguages,
} from '../i18n/index.ts'
import { languageShown } from '../store/language.ts'
import type { AppStore } from '../store/store.ts'

/** What the page looks like before the settings are known: remembered from the last time, so that start never flashes. */
const REMEMBERED = 'parlor.look'

type Look = Pick<Settings, 'theme' | 'density' | 'accent' | 'messageWidth' | 'textScale' | 'motion'>

type ResolvedTheme = Exclude<Theme, 'system'>

const queries = {
  dark: '(prefers-color-scheme: dark)',
  contrast: '(prefers-contrast: more)',
}

/** What the system asks for. */
type System = { readonly dark: boolean; readonly contrast: boolean }

/** "System" as one of the four themes. */
function resolveTheme(theme: Theme, system: System): ResolvedTheme {
  if (theme !== 'system') return theme
  if (system.contrast) return system.dark ? 'hc-dark' : 'hc-light'
  return system.dark ? 'dark' : 'light'
}

/** Writes the attributes the tokens hang on. */
export function applyLook(look: Look, system: System = currentSystem()): void {
  const root = document.documentElement
  root.dataset['theme'] = resolveTheme(look.theme, system)
  root.dataset['density'] = look.density
  // Of tokens.css itself, so that it has no rules of its own.
  if (look.accent === 'velvet') delete root.dataset['accent']
  else root.dataset['accent'] = look.accent
  root.dataset['width'] = look.messageWidth
  if (look.motion === 'system') delete root.dataset['motion']
  else root.dataset['motion'] = look.motion
  root.style.fontSize = look.textScale === 100 ? '' : `${look.textScale}%`
}

/** First thing the page does. Storage may be refused or hold anything: then the page follows the system. */
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

/** Keeps the page's attributes, language and clock in step with the settings and the system. */
export function useLook(settings: Settings, host: HostInfo): void {
  const dark = useSyncExternalStore(subscribeSystem, () => currentSystem().dark)
  const contrast = useSyncExternalStore(subscribeSystem, () => currentSystem().contrast)
  const saving = useSyncExternalStore(subscribeSaving, isSaving)
  const { theme, density, accent, messageWidth, textScale, motion, language, clock, weekStart } = settings
  useEffect(() => {
    const look: Look = { theme, density, accent, messageWidth, textScale, motion }
    // What someone chose beats the battery.
    applyLook(saving && motion === 'system' ? { ...look, motion: 'reduced' } : look, { dark, contrast })
    localStorage.setItem(REMEMBERED, JSON.stringify(look))
  }, [theme, density, accent, messageWidth, textScale, motion, dark, contrast, saving])
  useChosenLanguage(language, host.kind)
  useEffect(() => setClock(clock, host.clock24h), [clock, host.clock24h])
  useEffect(() => setWeekStart(weekStart), [weekStart])
}

/** Going back to "System" ends what was chosen before; a page that only begins with it keeps that. */
function useChosenLanguage(setting: Settings['language'], kind: HostInfo['kind']): void {
  const before = useRef(setting)
  useEffect(() => {
    if (setting === 'system' && before.current !== 'system') forgetChoice()
    before.current = setting
    storeChoice(setting, kind)
    void setLanguage(resolveLanguage(setting, systemLanguages(kind)))
  }, [setting, kind])
}

/** Tells the store in which language the texts are: lists by name follow it. Answers a way to end it. */
export function followLanguage(store: AppStore): () => void {
  const follow = (): void => void store.dispatch(languageShown(resolveLanguage(i18next.language, [])))
  follow()
  return subscribeLanguage(follow)
}

const currentSystem = (): System => ({
  dark: window.matchMedia(queries.dark).matches,
  contrast: window.matchMedia(queries.contrast).matches,
})

function subscribeSystem(listener: () => void): () => void {
  const media = Object.values(queries).map((query) => window.matchMedia(query))
  for (const query of media) query.addEventListener('change', listener)
  return () => {
    for (const query of media) query.removeEventListener('change', listener)
  }
}
