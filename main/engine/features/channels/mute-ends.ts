import { asCid, type Cid } from '#shared/lib/brand.ts'
import type { Stop } from '#main/lib/clock.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import * as users from '#main/cache/people/users.ts'
import { visibleChannel } from '../../changes/visible.ts'
import type { Core } from '../../core.ts'

/** Watches for the end of timed channel mutes: updates the windows then, and reports missed messages in one notice. */
type MuteWatch = {
  /** Mutes may have changed. */
  committed(): void
  stop(): void
}

/** Clocks can be changed and devices sleep: checks at least this often. */
const CHECK_EVERY_MS = 60_000
/** The server's event about the end may arrive slightly before this device's timer. */
const EARLY_MS = 2_000

type Parts = Pick<Core, 'cache' | 'collector' | 'context' | 'notify' | 'ports' | 'serverNow'>

export function watchMutes(core: Parts): MuteWatch {
  let timer: Stop | undefined
  let isStopped = false
  /** End of each mute, by the server's clock. */
  let waiting: ReadonlyMap<Cid, number> = new Map()

  function check(): void {
    const { reader } = core.cache
    const now = core.serverNow()
    const before = waiting
    waiting = new Map(
      mutes.mutedTargets(reader, 'channel', now).flatMap((target) => {
        const end = mutes.endsAt(reader, 'channel', target, now)
        return end === undefined ? [] : [[asCid(target), end] as const]
      }),
    )
    for (const [cid, end] of before) if (!waiting.has(cid) && end <= now + EARLY_MS) report(cid)
    timer?.()
    const next = Math.min(...waiting.values())
    timer =
      isStopped || !Number.isFinite(next)
        ? undefined
        : core.ports.clock.after(Math.min(next - now, CHECK_EVERY_MS), check)
  }

  function report(cid: Cid): void {
    core.collector.touch('channels', cid)
    const channel = visibleChannel(core.context, cid)
    if (channel === undefined || channel.unread === 0 || channel.muted) return
    const others = channel.directUserIds.map((id) => users.byId(core.cache.reader, id)?.name ?? id)
    const name = channel.name === '' ? others.join(', ') : channel.name
    const params = { name, count: channel.unread }
    core.notify({ code: 'unread/mute-ended', type: 'channels:mute-ended', severity: 'info', params })
  }

  return {
    committed: check,
    stop() {
      isStopped = true
      timer?.()
    },
  }
}
