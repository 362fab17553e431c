import type { RefObject } from 'react'
import { detectAll } from 'tinyld/light'

/** What is said in no language, or in a language that is not people's. */
const WORDLESS = /```.*?```|`[^`]*`|https?:\/\/\S+|:[\w+-]+:|[@#][\p{L}\p{N}_.-]+/gsu
const WORD = /\p{L}{2,}/gu

/** In fewer words, two languages are easily alike. */
const MANY_WORDS = 5

/**
 * The language that a text is written in, as in the `lang` attribute; `undefined` if it may be in one of several. How sure
 * that is, is measured with the app's own texts.
 */
export function languageOf(text: string): string | undefined {
  const words = text.replaceAll(WORDLESS, ' ')
  const [best, next] = detectAll(words)
  if (best === undefined) return undefined
  const isLong = (words.match(WORD)?.length ?? 0) >= MANY_WORDS
  const isSure = best.accuracy >= (isLong ? 0.06 : 0.25) && best.accuracy >= 1.6 * (next?.accuracy ?? 0)
  return isSure ? best.lang : undefined
}

/**
 * Marks an element with the language of the text in it, or the one that its author chose. `named`: a selector of what around
 * it has the text in its name, which can be in one language only.
 */
export function markLanguage(
  { current }: RefObject<Element | null>,
  text: string,
  chosen: string | undefined,
  named?: string,
): void {
  const language = languageOf(text) ?? chosen
  for (const element of [current, named === undefined ? undefined : current?.closest(named)]) {
    if (language === undefined) element?.removeAttribute('lang')
    else element?.setAttribute('lang', language)
  }
}
