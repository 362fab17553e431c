import { useLayoutEffect, useRef, type RefObject } from 'react'
import type { ComposerState } from '../../../store/composers/composers.ts'

/**
 * The text field, its caret and what is selected. Typing leaves the caret to the browser; text that came from elsewhere (a draft, an
 * edit, a message taken back) puts it where that place remembers it. A wish for focus is granted once.
 *
 * @returns the field, and what the caller says after each input event
 */
export function useField(
  composer: ComposerState,
  isThread: boolean,
): { readonly field: RefObject<HTMLTextAreaElement | null>; readonly ownText: (text: string) => void } {
  const field = useRef<HTMLTextAreaElement>(null)
  const own = useRef<string>(undefined)
  const granted = useRef<number>(undefined)
  const { text, caret, selectedTo = caret, focusRequest } = composer

  useLayoutEffect(() => {
    if (own.current === text || field.current === null) return
    own.current = text
    field.current.setSelectionRange(caret, selectedTo)
    field.current.scrollTop = field.current.scrollHeight
  }, [text, caret, selectedTo])

  useLayoutEffect(() => {
    const first = granted.current === undefined
    const requested = first ? focusRequest > 0 : granted.current !== focusRequest
    granted.current = focusRequest
    if (requested || (first && !isThread && mayTakeFocus())) field.current?.focus({ preventScroll: true })
  }, [focusRequest, isThread])

  return {
    field,
    ownText: (typed) => {
      own.current = typed
    },
  }
}

/** Opening a channel with the mouse or at start puts the caret here; walking the list with the keyboard does not. */
function mayTakeFocus(): boolean {
  const held = document.activeElement
  return held === null || held === document.body || !held.matches(':focus-visible, input, textarea')
}
