import { useEffect, useState } from 'react'
import type { Emoji } from './book.ts'
import { loadEmoji } from './load.ts'

/** The emoji list of a language once it is loaded. */
export function useEmojiBook(language: string): {
  readonly book: readonly Emoji[] | undefined
  readonly failed: boolean
} {
  const [state, setState] = useState<{ language: string; book?: readonly Emoji[] }>()
  useEffect(() => {
    let live = true
    loadEmoji(language).then(
      (book) => live && setState({ language, book }),
      () => live && setState({ language }),
    )
    return () => {
      live = false
    }
  }, [language])
  const current = state?.language === language ? state : undefined
  return { book: current?.book, failed: current !== undefined && current.book === undefined }
}
