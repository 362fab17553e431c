import { useSyncExternalStore } from 'react'
import { i18next } from './i18n.ts'

const listeners = new Set<() => void>()

i18next.on('languageChanged', () => {
  for (const listener of listeners) listener()
})

/** Answers a way to end it. */
export const subscribeLanguage = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const languageNow = (): string => i18next.language ?? 'en'

/** The language of the interface. Who asks renders again when another one is chosen. */
export const useLanguage = (): string => useSyncExternalStore(subscribeLanguage, languageNow)
