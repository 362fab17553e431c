import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock, Stop } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'

export type BackupPlan = {
  readonly folder: string
  readonly everyMs: number
  /** How many of them stay. */
  readonly keep: number
}

export type BackupPorts = {
  readonly clock: Clock
  readonly log: Logger
  /** Bytes that a backup may take now without endangering the workspace, and about how many it will take. */
  readonly room: (folder: string) => Promise<{ readonly free: number; readonly needed: number }>
  /** Writes a backup that has been read back, or rejects and leaves nothing under this name. */
  readonly write: (file: string, signal: AbortSignal) => Promise<void>
}

/** The disk has no room. What happened is known without reading a text. */
export class NoRoom extends Error {
  constructor() {
    super('The disk is full.')
    this.name = 'NoRoom'
  }
}

export type Backups = {
  /** When the newest one was made, in epoch milliseconds, and how many have failed since the start. */
  state(): { readonly newestAtMs: number | undefined; readonly failed: number }
  readonly stop: Stop
}

const RETRY_MS = 3_600_000
/** Timers are checked at least this often: the wall clock may have been set, or the device asleep. */
const LOOK_EVERY_MS = 600_000

/**
 * Makes a backup whenever the newest one is old enough, and removes the oldest only once a new one is there. One that
 * fails is tried again after an hour at most. Only files named by this function are counted and removed.
 *
 * ```
 *   waiting ──due──▶ writing ──written and read back──▶ the oldest removed ──▶ waiting
 *                       └──failed: reported, nothing removed──▶ waiting, an hour at most
 * ```
 */
export function startBackups({ folder, everyMs, keep }: BackupPlan, ports: BackupPorts): Backups {
  const { clock, log } = ports
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let ended = false
  const stopped = new AbortController()
  let failed = 0
  let failedAt: number | undefined
  let cancel: Stop = () => undefined

  /** Those of a clock that was ahead do not count: they would put off the next one, and push out those made since. */
  const counted = () => made(folder).filter(({ atMs }) => atMs <= clock.now())
  const newestAtMs = (): number | undefined => counted().at(-1)?.atMs

  const wait = (ms: number): void => {
    if (!ended) cancel = clock.after(Math.min(ms, LOOK_EVERY_MS), turn)
  }
  const turn = (): void => {
    const newest = newestAtMs()
    const dueMs = newest === undefined ? 0 : newest + everyMs - clock.now()
    const retryMs = failedAt === undefined ? 0 : failedAt + Math.min(everyMs, RETRY_MS) - clock.monotonic()
    const waitMs = Math.max(dueMs, retryMs)
    if (waitMs > 0) return wait(waitMs)
    void write().then(() => wait(LOOK_EVERY_MS))
  }

  async function write(): Promise<void> {
    const started = clock.monotonic()
    try {
      removeDrafts(folder)
      const { free, needed } = await ports.room(folder)
      if (needed > free) throw new NoRoom()
      await ports.write(join(folder, nameAt(clock.now())), stopped.signal)
      const old = counted().slice(0, -keep)
      for (const { name } of old) rmSync(join(folder, name), { force: true })
      failedAt = undefined
      log.info('backed-up', { removed: old.length, ms: Math.round(clock.monotonic() - started) })
    } catch (error) {
      if (ended) return
      failed += 1
      failedAt = clock.monotonic()
      log.error('backup-failed', { reason: error instanceof NoRoom ? 'disk-full' : 'failed' })
    }
  }

  turn()
  return {
    state: () => ({ newestAtMs: newestAtMs(), failed }),
    stop() {
      ended = true
      cancel()
      stopped.abort()
    },
  }
}

const NAME = /^parlor-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.parlor$/
/** What a writer that was killed leaves. */
const DRAFT = /^parlor-\d{8}T\d{6}Z\.parlor\.(?:partial|record)(?:-journal|-wal|-shm)?$/

/** `parlor-20261128T211000Z.parlor` */
const nameAt = (ms: number): string => `parlor-${new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '')}.parlor`

/** Oldest first. */
function made(folder: string): { readonly name: string; readonly atMs: number }[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const parts = NAME.exec(name)
      if (!parts) return []
      const [, year, month, day, hour, minute, second] = parts
      return [{ name, atMs: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) }]
    })
    .toSorted((one, other) => one.atMs - other.atMs)
}

function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) if (DRAFT.test(name)) rmSync(join(folder, name), { force: true })
}
