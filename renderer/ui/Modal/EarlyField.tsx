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
        // What follows Enter was meant for what it opens.
        if (early.enter === undefined) early.text = event.target.value
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
          const { ctrlKey, metaKey, altKey, shiftKey } = event
          early.enter ??= { key: 'Enter', code: 'Enter', ctrlKey, metaKey, altKey, shiftKey }
        }
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
    />
  )
}

/** The text typed and the focused element before the code was loaded, and Enter if it was pressed after the text. */
export const early: { text: string; opener: Element | null; enter?: KeyboardEventInit } = { text: '', opener: null }

function forget(): void {
  early.text = ''
  early.opener = null
  delete early.enter
}

/**
 * Puts the text into the first field of what was loaded, if that is one for text, as if it had been typed there; then Enter,
 * once what the field lists is rendered.
 */
export function takeEarlyText(field: HTMLElement | null | undefined): void {
  const { text, enter } = early
  if (text === '') return
  forget()
  if (!(field instanceof HTMLTextAreaElement) && !(field instanceof HTMLInputElement && TEXT.has(field.type))) return
  const end = field.value.length
  field.setRangeText(text, end, end, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }))
  if (enter === undefined) return
  setTimeout(() => field.dispatchEvent(new KeyboardEvent('keydown', { ...enter, bubbles: true, cancelable: true })))
}

const TEXT: ReadonlySet<string> = new Set(['text', 'search', 'tel', 'url', 'password'])
