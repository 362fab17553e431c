import { useSyncExternalStore } from 'react'
import { i18next } from './i18n.ts'

const listeners = new Set<() => void>()

i18next.on('languageChanged', () => {
  for (const listener of listeners) listener()
})

/** Returns the unsubscribe function. */
export const subscribeLanguage = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const languageNow = (): string => i18next.language ?? 'en'

/** The language of the interface; re-renders when it changes. */
export const useLanguage = (): string => useSyncExternalStore(subscribeLanguage, languageNow)
