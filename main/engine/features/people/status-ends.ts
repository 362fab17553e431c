import type { UserId } from '#shared/lib/brand.ts'
import type { Stop } from '#main/lib/clock.ts'
import * as users from '#main/cache/people/users.ts'
import type { UserRow } from '#main/cache/rows.ts'
import type { Core } from '../../core.ts'

/** Watches for the end of statuses: windows hide them then, and the viewer's own one is removed from the server. */
type StatusWatch = {
  start(): void
  /** These users may have changed. */
  changed(ids: Iterable<string>): void
  stop(): void
}

/** Clocks can be changed and computers sleep; also how often a removal that failed is tried again. */
const CHECK_EVERY_MS = 60_000

type Parts = Pick<Core, 'cache' | 'collector' | 'isHealthy' | 'me' | 'ports' | 'serverNow'>

/** @param clear removes the viewer's status from the server */
export function watchStatuses(core: Parts, clear: () => void): StatusWatch {
  let timer: Stop | undefined
  let isStopped = false
  /** End of each status, by the server's clock. */
  const ends = new Map<UserId, number>()

  function note(row: UserRow): void {
    if (row.statusText === undefined || row.statusUntil === undefined) ends.delete(row.id)
    else ends.set(row.id, row.statusUntil)
  }

  function check(): void {
    const now = core.serverNow()
    let isOwnOver = false
    for (const [id, end] of ends) {
      if (end > now) continue
      core.collector.touch('users', id)
      // Kept until the server has removed it.
      if (id === core.me) isOwnOver = true
      else ends.delete(id)
    }
    if (isOwnOver && core.isHealthy()) clear()
    timer?.()
    const next = isOwnOver ? now + CHECK_EVERY_MS : Math.min(...ends.values())
    timer =
      isStopped || !Number.isFinite(next)
        ? undefined
        : core.ports.clock.after(Math.min(next - now, CHECK_EVERY_MS), check)
  }

  return {
    start() {
      for (const row of users.all(core.cache.reader)) note(row)
      check()
    },
    changed(ids) {
      for (const row of users.byIds(core.cache.reader, [...ids])) note(row)
      check()
    },
    stop() {
      isStopped = true
      timer?.()
    },
  }
}
