/** The modal dialogs of this page that are open, the topmost last. */
const open: HTMLDialogElement[] = []
const listeners = new Set<() => void>()

/** Everything outside of it is inert. Absent while no modal is open. */
export const topModal = (): HTMLDialogElement | undefined => open.at(-1)

export function onTopModal(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Call with the dialog that was just shown; the function returned takes it off the list. */
export function modalOpened(dialog: HTMLDialogElement): () => void {
  open.push(dialog)
  for (const listener of listeners) listener()
  return () => {
    open.splice(open.indexOf(dialog), 1)
    for (const listener of listeners) listener()
  }
}
