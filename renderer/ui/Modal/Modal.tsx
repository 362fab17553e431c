import { useEffect, useLayoutEffect, useRef, type ComponentProps } from 'react'
import { createPortal } from 'react-dom'
import { useReturnFocus } from '../../lib/page/focus.ts'
import { modalOpened } from './modals.ts'

type Props = Omit<ComponentProps<'dialog'>, 'open' | 'ref' | 'onCancel' | 'onClose'> & {
  /** What has the focus first; without it, or where it gives nothing, the dialog itself. */
  readonly firstFocus?: () => HTMLElement | null | undefined
  /** Escape, a press beside the content, or the system's own gesture. The caller takes the modal away. */
  readonly onClose: () => void
}

/**
 * A native modal dialog that covers the window; its children are the box on it. The browser makes the rest of the page
 * inert and keeps the focus here; the focus goes back to the opener when the modal is gone.
 */
export function Modal({ firstFocus, onClose, children, onPointerDown, onKeyDown, ...rest }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const first = useRef(firstFocus)
  useReturnFocus()
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog === null) return undefined
    if (!dialog.open) dialog.showModal()
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
        if (event.target === event.currentTarget) onClose()
      }}
      onKeyDown={(event) => {
        onKeyDown?.(event)
        if (event.defaultPrevented || event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
      onCancel={(event) => {
        // A file chooser that was left bubbles the same event.
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
