import { useEffect, useLayoutEffect, useRef } from 'react'
import { useReturnFocus } from '../../lib/page/focus.ts'

type Props = { readonly label: string; readonly onClose: () => void }

/**
 * A hidden field while the code of a dialog is loading, so that text typed right after it was opened does not go to the
 * composer. The dialog gets it.
 */
export function EarlyField({ label, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null)
  useReturnFocus()
  useEffect(() => {
    early.opener = document.activeElement
    field.current?.focus()
  }, [])
  // A dialog that replaces this takes the text in the same commit; nothing stays for another one.
  useLayoutEffect(() => () => queueMicrotask(forget), [])
  return (
    <input
      ref={field}
      className="sr-only"
      aria-label={label}
      data-early=""
      spellCheck={false}
      onChange={(event) => {
        early.text = event.target.value
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
    />
  )
}

/** The text typed and the focused element before the code was loaded. */
export const early: { text: string; opener: Element | null } = { text: '', opener: null }

function forget(): void {
  early.text = ''
  early.opener = null
}

/** Puts the text into the first field of what was loaded, if that is one for text, as if it had been typed there. */
export function takeEarlyText(field: HTMLElement | null | undefined): void {
  const { text } = early
  if (text === '') return
  forget()
  if (!(field instanceof HTMLTextAreaElement) && !(field instanceof HTMLInputElement && TEXT.has(field.type))) return
  const end = field.value.length
  field.setRangeText(text, end, end, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }))
}

const TEXT: ReadonlySet<string> = new Set(['text', 'search', 'tel', 'url', 'password'])
