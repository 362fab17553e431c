import { useEffect, useLayoutEffect, useRef, type ComponentProps, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useReturnFocus } from '../../lib/page/focus.ts'

type Props = Omit<ComponentProps<'dialog'>, 'open' | 'ref' | 'onCancel' | 'onClose'> & {
  /** The element to focus first; if absent, or if it returns nothing, the dialog itself. */
  readonly firstFocus?: () => HTMLElement | null | undefined
  /** Escape, a click outside the content, or the system's own gesture. The caller removes the modal. */
  readonly onClose: () => void
}

/**
 * A native modal dialog that covers the window; its children are the box on it. The browser makes the rest of the page
 * inert and keeps the focus here; the focus returns to the opener when the modal is closed.
 */
export function Modal({ firstFocus, onClose, children, onPointerDown, onClick, onKeyDown, ...rest }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const first = useRef(firstFocus)
  /**
   * Whether a press begins and ends outside of the box: one that selects text may end there, and one that begins there can
   * be taken back. The click itself is sent to what is around both places.
   */
  const press = useRef({ begins: false, ends: false })
  useReturnFocus()
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog === null) return undefined
    if (!dialog.open) dialog.showModal()
    takeEarlyText(first.current?.())
    return modalOpened(dialog)
  }, [])
  useEffect(() => {
    const dialog = ref.current
    if (dialog !== null) (first.current?.() ?? dialog).focus({ preventScroll: true })
  }, [])
  return createPortal(
    <dialog
      {...rest}
      ref={ref}
      aria-modal="true"
      tabIndex={-1}
      data-returns-focus=""
      onPointerDown={(event) => {
        onPointerDown?.(event)
        press.current = { begins: event.target === event.currentTarget, ends: false }
      }}
      onPointerUp={(event) => {
        press.current.ends = event.target === event.currentTarget
      }}
      onClick={(event) => {
        onClick?.(event)
        if (press.current.begins && press.current.ends) onClose()
      }}
      onKeyDown={(event) => {
        onKeyDown?.(event)
        if (event.defaultPrevented || event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
      onCancel={(event) => {
        // A canceled file chooser bubbles the same event.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      onClose={(event) => {
        if (event.target === event.currentTarget && !event.currentTarget.open) onClose()
      }}
    >
      {children}
    </dialog>,
    document.body,
  )
}

/** The open modal dialogs of this page, the topmost last. */
const open: HTMLDialogElement[] = []
const listeners = new Set<() => void>()

/** Everything outside of it is inert. Absent while no modal is open. */
export const topModal = (): HTMLDialogElement | undefined => open.at(-1)

export function onTopModal(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Call with the dialog that was just shown; the returned function removes it from the list. */
export function modalOpened(dialog: HTMLDialogElement): () => void {
  open.push(dialog)
  for (const listener of listeners) listener()
  return () => {
    open.splice(open.indexOf(dialog), 1)
    for (const listener of listeners) listener()
  }
}

/**
 * Content of the whole window that stays visible, usable and audible while a modal is open: it is moved into the topmost
 * one, because everything outside of a modal is inert. Its state and its elements stay as they are.
 */
export function TopMost({ children }: { readonly children: ReactNode }) {
  const [host] = useState(() => document.createElement('div'))
  useLayoutEffect(() => {
    const move = (): void => {
      const parent = topModal() ?? document.body
      if (host.parentElement === parent) return
      // Keeps focus, hover and running animations; a host that is not in the document yet cannot be moved.
      if (host.isConnected && 'moveBefore' in parent) parent.moveBefore(host, null)
      else parent.append(host)
    }
    move()
    const stop = onTopModal(move)
    return () => {
      stop()
      host.remove()
    }
  }, [host])
  return createPortal(children, host)
}

type EarlyFieldProps = {
  readonly label: string
  /** Closes what is loading; absent where Escape does what it does on the page. */
  readonly onClose?: () => void
}

/**
 * A hidden field while the code of a dialog, or of a view that begins with a field, is loading, so that text typed right
 * after it was opened is neither lost nor in the composer. The first field of what was opened gets it.
 */
export function EarlyField({ label, onClose }: EarlyFieldProps) {
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
