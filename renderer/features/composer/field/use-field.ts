import { useLayoutEffect, useRef, type RefObject } from 'react'
import type { ComposerState } from '../../../store/composers/composers.ts'

/**
 * The text field, its caret and selection. While typing, the browser moves the caret; text from elsewhere (a draft, an
 * edit, a message taken back) restores the caret saved with it. A focus request is fulfilled once.
 *
 * @returns the field, and `ownText`, which the caller calls after each input event
 */
export function useField(
  composer: ComposerState,
  isThread: boolean,
): { readonly field: RefObject<HTMLTextAreaElement | null>; readonly ownText: (text: string) => void } {
  const field = useRef<HTMLTextAreaElement>(null)
  const own = useRef<string>(undefined)
  const fulfilled = useRef<number>(undefined)
  const { text, caret, selectedTo = caret, focusRequest } = composer

  useLayoutEffect(() => {
    if (own.current === text || field.current === null) return
    own.current = text
    field.current.setSelectionRange(caret, selectedTo)
    field.current.scrollTop = field.current.scrollHeight
  }, [text, caret, selectedTo])

  useLayoutEffect(() => {
    const first = fulfilled.current === undefined
    const requested = first ? focusRequest > 0 : fulfilled.current !== focusRequest
    fulfilled.current = focusRequest
    if (requested || (first && !isThread && mayTakeFocus())) field.current?.focus({ preventScroll: true })
  }, [focusRequest, isThread])

  return {
    field,
    ownText: (typed) => {
      own.current = typed
    },
  }
}

/** Opening a channel with the mouse or at start focuses the field; moving through the channel list by keyboard does not. */
function mayTakeFocus(): boolean {
  const active = document.activeElement
  return active === null || active === document.body || !active.matches(':focus-visible, input, textarea')
}
