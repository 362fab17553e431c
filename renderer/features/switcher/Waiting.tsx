import { useEffect, useRef } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useReturnFocus } from '../../lib/page/focus.ts'

/** A hidden field while the switcher's code is loading, so that text typed right after Ctrl+K does not go to the composer. */
export function Waiting() {
  const sidebar = useTexts('sidebar')
  const field = useRef<HTMLInputElement>(null)
  useReturnFocus()
  useEffect(() => {
    early.opener = document.activeElement
    field.current?.focus()
  }, [])
  return (
    <input
      ref={field}
      className="sr-only"
      aria-label={sidebar('search')}
      spellCheck={false}
      onChange={(event) => {
        early.text = event.target.value
      }}
    />
  )
}

/** The text typed and the focused element before the switcher was loaded. */
export const early: { text: string; opener: Element | null } = { text: '', opener: null }

/** Hands over the text, if there is any, and clears both. */
export function takeEarlyInput(take: (text: string) => void): void {
  const { text } = early
  early.text = ''
  early.opener = null
  if (text !== '') take(text)
}
