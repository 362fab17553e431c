/** Something dragged from outside the window that holds files. */
export const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') === true

/** The files of a drop. Folders are left alone: they have no bytes to send. */
export function filesOf(data: DataTransfer | null): readonly File[] {
  const items = [...(data?.items ?? [])].filter((item) => item.kind === 'file')
  if (items.length === 0) return [...(data?.files ?? [])]
  return items
    .filter((item) => item.webkitGetAsEntry?.()?.isDirectory !== true)
    .flatMap((item) => item.getAsFile() ?? [])
}

/** Files on their way to a composer that may not be on screen yet, by its key. Bytes cannot stand in the store. */
const waiting = new Map<string, readonly File[]>()
const takers = new Map<string, (files: readonly File[]) => void>()

/** Gives files to a composer: at once when it is there, else as soon as it comes. */
export function handFiles(key: string, files: readonly File[]): void {
  const take = takers.get(key)
  if (take === undefined) waiting.set(key, [...(waiting.get(key) ?? []), ...files])
  else take(files)
}

/** A composer that can take files now. Answers how it stops taking them. */
export function takeFiles(key: string, take: (files: readonly File[]) => void): () => void {
  takers.set(key, take)
  const files = waiting.get(key)
  waiting.delete(key)
  if (files !== undefined) take(files)
  return () => {
    if (takers.get(key) === take) takers.delete(key)
  }
}
