import { useEffect, useLayoutEffect, useRef } from 'react'
import { useReturnFocus } from '../../lib/page/focus.ts'

type Props = {
  readonly label: string
  /** Closes what is loading; absent where Escape does what it does on the page. */
  readonly onClose?: () => void
}

/**
 * A hidden field while the code of a dialog, or of a view that begins with a field, is loading, so that text typed right
 * after it was opened is neither lost nor in the composer. The first field of what was opened gets it.
 */
export function EarlyField({ label, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null)
  useReturnFocus(true)
  useEffect(() => {
    const input = field.current
    if (input === null) return
    early.opener ??= document.activeElement
    input.value = early.text
    input.focus()
  }, [])
  // What replaces this takes the text in the same commit; nothing stays for another one. It may be such a field again,
  // while what it opens loads the next part of its code.
  useLayoutEffect(() => () => queueMicrotask(() => document.querySelector('[data-early]') ?? forget()), [])
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
        if (event.key !== 'Escape' || onClose === undefined) return
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
 * once what the field lists is rendered. `instead`: in place of what the field has. Returns whether there was text.
 */
export function takeEarlyText(field: HTMLElement | null | undefined, instead = false): boolean {
  const { text, enter } = early
  if (text === '') return false
  forget()
  const takesText = field instanceof HTMLInputElement && TEXT.has(field.type)
  if (!takesText && !(field instanceof HTMLTextAreaElement)) return false
  const end = field.value.length
  field.setRangeText(text, instead ? 0 : end, end, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }))
  if (enter !== undefined) {
    setTimeout(() => field.dispatchEvent(new KeyboardEvent('keydown', { ...enter, bubbles: true, cancelable: true })))
  }
  return true
}

const TEXT: ReadonlySet<string> = new Set(['text', 'search', 'tel', 'url', 'password'])
