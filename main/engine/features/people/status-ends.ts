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
/** Every event touches its author: their rows are read once for all events of a second. */
const GATHER_MS = 1_000

type Parts = Pick<Core, 'cache' | 'collector' | 'isHealthy' | 'me' | 'ports' | 'serverNow'>

/** @param clear removes the viewer's status from the server */
export function watchStatuses(core: Parts, clear: () => void): StatusWatch {
  let timer: Stop | undefined
  let isStopped = false
  const touched = new Set<string>()
  /** End of each status, by the server's clock. */
  const ends = new Map<UserId, number>()

  function note({ id, statusText, statusUntil }: UserRow): void {
    if (statusText === undefined || statusUntil === undefined) ends.delete(id)
    else ends.set(id, statusUntil)
  }

  function check(): void {
    for (const row of users.byIds(core.cache.reader, [...touched])) note(row)
    touched.clear()
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
      for (const id of users.statusEndIds(core.cache.reader)) touched.add(id)
      check()
    },
    changed(ids) {
      const isGathering = touched.size > 0
      for (const id of ids) touched.add(id)
      if (isGathering || isStopped || touched.size === 0) return
      timer?.()
      timer = core.ports.clock.after(GATHER_MS, check)
    },
    stop() {
      isStopped = true
      timer?.()
    },
  }
}
