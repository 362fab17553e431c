import type { ComponentType } from 'react'
import { HostSuspense } from '../features/connection/index.ts'
import { useRegistry } from '../registry/registry.ts'
import { useAppDispatch, useAppSelector } from '../store/hooks.ts'
import type { Dialog, Dialogs } from '../store/window/kinds.ts'
import { dialogClosed } from '../store/window/ui.ts'
import { Region } from './Region.tsx'

/** The open dialog, at most one. */
export function DialogHost() {
  const dialog = useAppSelector((state) => state.ui.dialog)
  const dispatch = useAppDispatch()
  if (dialog === undefined) return null
  return (
    <Region where="dialog" resetKey={dialog.kind}>
      <HostSuspense onClose={() => void dispatch(dialogClosed())}>
        <DialogContent dialog={dialog} />
      </HostSuspense>
    </Region>
  )
}

function DialogContent({ dialog: { kind, ...props } }: { readonly dialog: Dialog }) {
  const Content = useRegistry().dialogs[kind] as ComponentType<Dialogs[keyof Dialogs]>
  return <Content {...props} />
}
