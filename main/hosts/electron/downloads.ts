import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { app, type DownloadItem, type Session } from 'electron'
import type { Download } from '#shared/domain/desktop/download.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { DownloadCapability } from '../host.ts'
import { freeFileName, safeFileName } from '../rules/pages/download-name.ts'
import { downloadDecision } from '../rules/pages/navigation.ts'

export type Downloads = DownloadCapability & { watch(session: Session): void }

/** No one looks through more. */
const MOST_KEPT = 100

type Kept = {
  readonly id: string
  readonly at: number
  readonly item: DownloadItem
  readonly session: Session
  readonly url: string
  readonly name: string
  state: Download['state']
  /** From then on the item is of no use: what it knew stands here. */
  ended?: { readonly path: string; readonly total: number }
}

/** Where what someone saves goes: into their folder, or where the system is told when it asks; and what became of it. */
export function electronDownloads(log: Logger, clock: Pick<Clock, 'now'>): Downloads {
  let folder = ''
  let lastId = 0
  /** Under way, so that two of one name do not take the same place. */
  const taken = new Set<string>()
  let kept: readonly Kept[] = []

  function place(item: DownloadItem): void {
    const name = safeFileName(item.getFilename())
    // A folder that is gone (a drive that was pulled out): the system asks instead.
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
    const one: Kept = {
      id: String(lastId),
      at: clock.now(),
      item,
      session,
      url: item.getURL(),
      name: safeFileName(item.getFilename()),
      state: 'running',
    }
    kept = [one, ...kept].slice(0, MOST_KEPT)
    // Broken, but for `resume`: the system is still holding what came.
    item.on('updated', (_event, state) => void (one.state = state === 'interrupted' ? 'broken' : 'running'))
    item.once('done', (_event, state) => {
      one.ended = { path: item.getSavePath(), total: item.getTotalBytes() }
      one.state = state === 'completed' && isWhole(one.ended) ? 'done' : 'broken'
      if (one.state === 'broken') log.warn('download-ended', { state })
      // Someone who thought better of it needs no line about it.
      if (state === 'cancelled') kept = kept.filter((each) => each !== one)
    })
  }

  const find = (id: string): Kept | undefined => kept.find((one) => one.id === id)

  return {
    watch(session) {
      session.on('will-download', (event, item) => {
        if (downloadDecision(item.getURL(), new Set()) === 'cancel') return event.preventDefault()
        place(item)
        follow(item, session)
      })
    },
    into: (next) => void (folder = next),
    list: () => kept.map(lineOf),
    pathOf: (id) => {
      const one = find(id)
      return one?.state === 'done' ? one.ended?.path : undefined
    },
    again(id) {
      const one = find(id)
      if (one?.state !== 'broken') return
      if (!one.ended && one.item.canResume()) {
        one.state = 'running'
        one.item.resume()
        return
      }
      kept = kept.filter((each) => each !== one)
      one.session.downloadURL(one.url)
    },
    cancel(id) {
      const one = find(id)
      if (one?.state === 'running') one.item.cancel()
    },
    clear: () => void (kept = kept.filter(({ state }) => state === 'running')),
  }
}

const isWhole = ({ path, total }: NonNullable<Kept['ended']>): boolean =>
  total === 0 || statSync(path, { throwIfNoEntry: false })?.size === total

function lineOf({ id, at, item, state, name, ended }: Kept): Download {
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
