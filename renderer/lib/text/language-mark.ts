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
  useEffect(() => markSoon(({ markLanguage }) => markLanguage(element, text, chosen, named)), [text, chosen, named])
  return element
}

type Mark = (code: typeof import('./language-of.ts')) => void

const waiting = new Set<Mark>()
let timer: ReturnType<typeof setTimeout> | undefined

/** One timer for all that came into view together. Returns a function that leaves this one out. */
function markSoon(mark: Mark): () => void {
  waiting.add(mark)
  timer ??= setTimeout(() => void markWaiting(), SOON_MS)
  return () => {
    waiting.delete(mark)
    if (waiting.size > 0) return
    clearTimeout(timer)
    timer = undefined
  }
}

async function markWaiting(): Promise<void> {
  timer = undefined
  const code = await loadDetector()
  const marks = [...waiting]
  waiting.clear()
  if (code !== undefined) for (const mark of marks) mark(code)
}

/** The language that a text is written in, or the one its author chose, if either is known. */
export const languageOfText = async (text: string, chosen: string | undefined): Promise<string | undefined> =>
  (await loadDetector())?.languageOf(text) ?? chosen

/** Without it a text is said in the voice of the page. */
const loadDetector = () => loadCode(() => import('./language-of.ts')).catch(() => undefined)
