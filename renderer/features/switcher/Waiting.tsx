import { useEffect, useRef } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useReturnFocus } from '../../lib/page/focus.ts'
import { early } from './early.ts'

/** Stands while the switcher's code is fetched: what is typed right after Ctrl K is meant for it, not for the composer. */
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
