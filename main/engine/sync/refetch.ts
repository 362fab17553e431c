import { RECOVERY_PAGE } from '#shared/constants.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { pause } from '#main/lib/clock.ts'
import type { Core, Recovery } from '../core.ts'
import { fetchThese, PACE_MS } from './list.ts'
import { refreshThread, refreshTimeline } from './recover.ts'

type Parts = Recovery & Pick<Core, 'delivery' | 'me' | 'ports' | 'syncState'>

/** So many channels named at once are fetched each for itself, completely. */
const FEW = 3
/** Pages without a pause between them. */
const AT_ONCE = 10

/**
 * Channels named by events: fetched completely, with their threads that are on a screen. A campaign or an import names
 * thousands in a few seconds. Asking for each of them would exceed the limits of servers and hold up everything else, so
 * those that nobody looks at are fetched in pages, as the list is.
 */
export function refetchChannels(core: Parts, cids: readonly Cid[]): void {
  const open = core.collector.openLists()
  const shown = new Set(open.map((view) => view.cid))
  const { unfetched } = core.syncState
  const isMany = cids.length > FEW || unfetched.size > 0
  for (const cid of cids) {
    if (isMany && !shown.has(cid)) unfetched.add(cid)
    else refreshTimeline(core, cid)
  }
  for (const { cid, parentId } of open) {
    if (parentId !== undefined && cids.includes(cid)) refreshThread(core, cid, parentId)
  }
  if (unfetched.size === 0) return
  core.errands.begin({ key: 'named', part: 'channels', isLong: true, work: () => fetchNamed(core, unfetched) })
}

/** Channels that are named again while they are fetched are fetched once more. */
async function fetchNamed(core: Parts, unfetched: Set<Cid>): Promise<void> {
  for (let page = 0; unfetched.size > 0; page += 1) {
    if (page >= AT_ONCE) await pause(core.ports.clock, PACE_MS, core.life)
    const cids = [...unfetched].slice(0, RECOVERY_PAGE)
    for (const cid of cids) unfetched.delete(cid)
    try {
      const listed = await fetchThese(core, cids)
      const silent = cids.filter((cid) => !listed.has(cid))
      const hidden = await fetchThese(core, silent, undefined, { hidden: true })
      // Whether the others are gone is for the server to say, one by one.
      for (const cid of silent) if (!hidden.has(cid)) refreshTimeline(core, cid)
    } catch (error) {
      for (const cid of cids) unfetched.add(cid)
      throw error
    }
  }
}
