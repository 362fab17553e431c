let saving = false
const listeners = new Set<() => void>()

/** Set by main: the computer runs on battery and battery saving is on. */
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
