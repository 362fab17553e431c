import { useLayoutEffect, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { onTopModal, topModal } from './modals.ts'

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
      // Keeps focus, hover and running animations; a host that was in no page yet cannot be moved.
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
