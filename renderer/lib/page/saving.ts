let saving = false
const listeners = new Set<() => void>()

/** Main says whether the computer runs on its battery and that is to be spared. */
export function setSaving(on: boolean): void {
  if (on === saving) return
  saving = on
  for (const listener of listeners) listener()
}

export const isSaving = (): boolean => saving

export function subscribeSaving(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
