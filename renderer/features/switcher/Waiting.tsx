import { useEffect, useRef } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useReturnFocus } from '../../lib/page/focus.ts'
import { early } from './early.ts'

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
