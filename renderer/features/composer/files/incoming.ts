import { useEffect, useRef, useState, type RefObject, useSyncExternalStore } from 'react'
import { type Dropped, droppedIn, hasFiles } from '../../../lib/files/dropped-files.ts'
import { COMPOSER_FILES } from '../../../store/composers/files.ts'
import { useObject } from '../../../store/hooks.ts'

/**
 * Accepts files and folders dropped anywhere on the sheet around the composer; with Shift pictures are attached as plain
 * files.
 *
 * @returns how many files are dragged over the sheet; undefined when none are
 */
export function useDrop(
  inside: RefObject<HTMLElement | null>,
  enabled: boolean,
  onDrop: (dropped: Dropped, asFile: boolean) => void,
): number | undefined {
  const [dragged, setDragged] = useState<number>()
  const latest = useRef(onDrop)
  useEffect(() => {
    latest.current = onDrop
  })
  useEffect(() => {
    const sheet = inside.current?.closest<HTMLElement>('main, aside') ?? inside.current
    if (!enabled || sheet === null) return undefined
    const stop = new AbortController()
    const on = (type: 'dragenter' | 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void): void =>
      sheet.addEventListener(type, listener, { signal: stop.signal })
    const over = (event: DragEvent): void => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
      sheet.dataset['dropping'] = ''
      setDragged(countOf(event))
    }
    const leave = (): void => {
      delete sheet.dataset['dropping']
      setDragged(undefined)
    }
    on('dragenter', over)
    on('dragover', over)
    on('dragleave', (event) => {
      if (!(event.relatedTarget instanceof Node) || !sheet.contains(event.relatedTarget)) leave()
    })
    on('drop', (event) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      leave()
      const { shiftKey } = event
      void droppedIn(event.dataTransfer).then((dropped) => latest.current(dropped, shiftKey))
    })
    return () => {
      stop.abort()
      leave()
    }
  }, [inside, enabled])
  return dragged
}

const countOf = (event: DragEvent): number =>
  [...(event.dataTransfer?.items ?? [])].filter((item) => item.kind === 'file').length || 1

/** Accepts files and folders that were dropped on this conversation's row in the sidebar. */
export function useHandedFiles(key: string, enabled: boolean, onDrop: (dropped: Dropped) => void): void {
  const latest = useRef(onDrop)
  useEffect(() => {
    latest.current = onDrop
  })
  const files = useObject(COMPOSER_FILES)
  useEffect(() => (enabled ? files.receive(key, (handed) => latest.current(handed)) : undefined), [files, key, enabled])
}

/** Files of a paste. Office programs add a picture of the copied text; then the text is pasted, not the picture. */
export function pastedFiles(data: DataTransfer): readonly File[] {
  const isText =
    data.types.includes('text/plain') && (data.types.includes('text/html') || data.types.includes('text/rtf'))
  return isText ? [] : [...data.files]
}

/** Files that did not fit into the current message. Stored outside the composer, because another channel may be opened. */
type LeftFiles = {
  readonly files: readonly File[]
  readonly add: (files: readonly File[]) => void
  /** Removes and returns all of them. */
  readonly take: () => readonly File[]
}

export function useLeftFiles(key: string): LeftFiles {
  const all = useObject(COMPOSER_FILES)
  const files = useSyncExternalStore(all.watchLeftOver, () => all.leftOver(key))
  return {
    files,
    add: (more) => all.setLeftOver(key, [...all.leftOver(key), ...more]),
    take: () => {
      const taken = all.leftOver(key)
      all.setLeftOver(key, [])
      return taken
    },
  }
}

/** Once the previous message is sent, attaches as many of the leftover files as fit. */
export function useNextFiles(isFree: boolean, left: LeftFiles, attach: (files: readonly File[]) => void): void {
  const latest = useRef({ left, attach })
  useEffect(() => {
    latest.current = { left, attach }
  })
  // Runs on `isFree` alone: while files are being added to `left`, the ones before them are still being announced.
  useEffect(() => {
    const { left: waiting, attach: add } = latest.current
    if (isFree && waiting.files.length > 0) add(waiting.take())
  }, [isFree])
}
