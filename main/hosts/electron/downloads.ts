import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { app, type DownloadItem, type Session } from 'electron'
import type { Download } from '#shared/domain/desktop/desktop.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { DownloadCapability } from '../host.ts'
import { freeFileName, safeFileName } from '../rules/pages/openable.ts'
import { downloadDecision } from '../rules/pages/navigation.ts'

export type Downloads = DownloadCapability & { watch(session: Session): void }

/** Downloads listed at most. */
const MAX_LISTED = 100

type Entry = {
  readonly id: string
  readonly at: number
  readonly item: DownloadItem
  readonly session: Session
  readonly url: string
  readonly name: string
  state: Download['state']
  /** The last values of the item, which cannot be read after it is done. */
  ended?: { readonly path: string; readonly total: number }
}

/** Downloads: saved to the chosen folder, or to the path of the system's dialog, with their progress and outcome. */
export function electronDownloads(log: Logger, clock: Pick<Clock, 'now'>): Downloads {
  let folder = ''
  let lastId = 0
  /** In progress, so that two downloads of one name do not take the same path. */
  const taken = new Set<string>()
  let entries: readonly Entry[] = []

  function place(item: DownloadItem): void {
    const name = safeFileName(item.getFilename())
    // The folder does not exist anymore (a removed drive): the system asks instead.
    if (folder === '' || !existsSync(folder)) {
      item.setSaveDialogOptions({ defaultPath: join(app.getPath('downloads'), name) })
      return
    }
    const into = folder
    const free = freeFileName(name, (each) => taken.has(join(into, each)) || existsSync(join(into, each)))
    const path = join(into, free)
    taken.add(path)
    item.setSavePath(path)
    item.once('done', () => void taken.delete(path))
  }

  function follow(item: DownloadItem, session: Session): void {
    lastId += 1
    const one: Entry = {
      id: String(lastId),
      at: clock.now(),
      item,
      session,
      url: item.getURL(),
      name: safeFileName(item.getFilename()),
      state: 'running',
    }
    entries = [one, ...entries].slice(0, MAX_LISTED)
    // Interrupted, but it can be resumed: the received part still exists.
    item.on('updated', (_event, state) => void (one.state = state === 'interrupted' ? 'broken' : 'running'))
    item.once('done', (_event, state) => {
      one.ended = { path: item.getSavePath(), total: item.getTotalBytes() }
      one.state = state === 'completed' && isWhole(one.ended) ? 'done' : 'broken'
      if (one.state === 'broken') log.warn('download-ended', { state })
      // A canceled download is not listed.
      if (state === 'cancelled') entries = entries.filter((each) => each !== one)
    })
  }

  const find = (id: string): Entry | undefined => entries.find((one) => one.id === id)

  return {
    watch(session) {
      session.on('will-download', (event, item) => {
        if (downloadDecision(item.getURL(), new Set()) === 'cancel') return event.preventDefault()
        place(item)
        follow(item, session)
      })
    },
    into: (next) => void (folder = next),
    list: () => entries.map(downloadOf),
    pathOf: (id) => {
      const one = find(id)
      return one?.state === 'done' ? one.ended?.path : undefined
    },
    retry(id) {
      const one = find(id)
      if (one?.state !== 'broken') return
      if (!one.ended && one.item.canResume()) {
        one.state = 'running'
        one.item.resume()
        return
      }
      entries = entries.filter((each) => each !== one)
      one.session.downloadURL(one.url)
    },
    cancel(id) {
      const one = find(id)
      if (one?.state === 'running') one.item.cancel()
    },
    clear: () => void (entries = entries.filter(({ state }) => state === 'running')),
  }
}

const isWhole = ({ path, total }: NonNullable<Entry['ended']>): boolean =>
  total === 0 || statSync(path, { throwIfNoEntry: false })?.size === total

function downloadOf({ id, at, item, state, name, ended }: Entry): Download {
  const line = { id, at, state }
  if (!ended) {
    return { ...line, name, receivedBytes: item.getReceivedBytes(), totalBytes: item.getTotalBytes() }
  }
  const { path, total } = ended
  return {
    ...line,
    name: path === '' ? name : basename(path),
    receivedBytes: state === 'done' ? total : 0,
    totalBytes: total,
  }
}
