import { useEffect, useRef, type RefObject } from 'react'
import { loadCode } from '../page/part.tsx'

/** Rows come into view many at a time; what they look like comes first. */
const SOON_MS = 200

/**
 * Marks an element with the language of the text in it, so that a screen reader says it in the right voice. If the text
 * may be in one of several languages, the mark is the language that its author chose, if any. `named`: what around it has
 * the text in its name, as a selector.
 */
export function useLanguageMark<E extends HTMLElement>(
  text: string,
  chosen: string | undefined,
  named?: string,
): RefObject<E | null> {
  const element = useRef<E>(null)
  useEffect(() => {
    const mark = async (): Promise<void> => {
      const code = await loadDetector()
      code?.markLanguage(element, text, chosen, named)
    }
    const timer = setTimeout(() => void mark(), SOON_MS)
    return () => clearTimeout(timer)
  }, [text, chosen, named])
  return element
}

/** The language that a text is written in, or the one its author chose, if either is known. */
export const languageOfText = async (text: string, chosen: string | undefined): Promise<string | undefined> =>
  (await loadDetector())?.languageOf(text) ?? chosen

/** Without it a text is said in the voice of the page. */
const loadDetector = () => loadCode(() => import('./language-of.ts')).catch(() => undefined)
