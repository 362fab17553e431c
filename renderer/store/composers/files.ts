import type { Dropped } from '../../lib/files/dropped-files.ts'
import { perAccount } from '../objects.ts'

type Copying = { readonly stop: AbortController; readonly ended: PromiseWithResolvers<void> }

const NONE: readonly File[] = []

/** Files of the composers of one account, by composer key or upload id: their bytes cannot be in the store. */
export class ComposerFiles {
  readonly #waiting = new Map<string, Dropped>()
  readonly #takers = new Map<string, (dropped: Dropped) => void>()
  readonly #left = new Map<string, readonly File[]>()
  readonly #watchers = new Set<() => void>()
  readonly #copying = new Map<string, Copying>()
  readonly #tooLarge = new Map<string, File>()

  /** Hands files and folders to a composer: at once if it is mounted, else as soon as it is. */
  hand(key: string, dropped: Dropped): void {
    const take = this.#takers.get(key)
    if (take === undefined) this.#waiting.set(key, together(this.#waiting.get(key), dropped))
    else take(dropped)
  }

  /** Registers a mounted composer as the receiver of files and folders. Returns the unregister function. */
  receive(key: string, take: (dropped: Dropped) => void): () => void {
    this.#takers.set(key, take)
    const dropped = this.#waiting.get(key)
    this.#waiting.delete(key)
    if (dropped !== undefined) take(dropped)
    return () => {
      if (this.#takers.get(key) === take) this.#takers.delete(key)
    }
  }

  /** Files that did not fit into the message being written; they become the next one. */
  readonly leftOver = (key: string): readonly File[] => this.#left.get(key) ?? NONE

  setLeftOver(key: string, files: readonly File[]): void {
    if (files.length === 0 && !this.#left.has(key)) return
    if (files.length === 0) this.#left.delete(key)
    else this.#left.set(key, files)
    for (const notify of this.#watchers) notify()
  }

  readonly watchLeftOver = (notify: () => void): (() => void) => {
    this.#watchers.add(notify)
    return () => void this.#watchers.delete(notify)
  }

  /** Copying to the main process begins; it continues when another channel is opened. */
  beginCopy(id: string): void {
    this.#copying.set(id, { stop: new AbortController(), ended: Promise.withResolvers<void>() })
  }

  copySignal(id: string): AbortSignal | undefined {
    return this.#copying.get(id)?.stop.signal
  }

  stopCopy(id: string): void {
    this.#copying.get(id)?.stop.abort()
  }

  endCopy(id: string): void {
    this.#copying.get(id)?.ended.resolve()
    this.#copying.delete(id)
  }

  /** Resolves when these files are copied completely: a crash before that would lose them. */
  async whenCopied(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.flatMap((id) => this.#copying.get(id)?.ended.promise ?? []))
  }

  /** A picture over the size limit, not copied to the main process: a smaller copy may be accepted. */
  keepTooLarge(id: string, file: File): void {
    this.#tooLarge.set(id, file)
  }

  readonly tooLarge = (id: string): File | undefined => this.#tooLarge.get(id)

  forget(id: string): void {
    this.#tooLarge.delete(id)
  }
}

const together = (before: Dropped | undefined, more: Dropped): Dropped =>
  before === undefined
    ? more
    : {
        files: [...before.files, ...more.files],
        folders: [...before.folders, ...more.folders],
        refused: [...before.refused, ...more.refused],
      }

export const COMPOSER_FILES = perAccount(() => new ComposerFiles())
