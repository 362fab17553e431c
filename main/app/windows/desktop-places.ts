import type { Cid } from '#shared/lib/brand.ts'
import { directUserIds } from '#shared/rules/channels/channels.ts'
import { LINK_SCHEME, linkWorkspace } from '#shared/rules/desktop/deep-link.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import * as unread from '#main/cache/channels/unread.ts'
import * as users from '#main/cache/people/users.ts'
import type { Reader } from '#main/cache/tx.ts'
import { MAX_MENU_PLACES, type Place, type Places } from '#main/desktop/places.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import type { Account } from '../accounts/account.ts'

/** Bound of channels that are checked: each one is a query, and older ones have nothing new. */
const CHECKED_CHANNELS = 40

/** Conversations of an account for the system's menus: those with unread messages, and the latest ones. */
export function placesOf(account: Account, now: number, open: (cid: Cid) => void): Places {
  const reader = account.engine.stores.cache.reader
  const workspace = workspaceOf(account.ref)
  const placeOf = (cid: Cid, count: number): Place => ({
    name: nameOf(reader, cid),
    unread: count,
    link: `${LINK_SCHEME}://open/${workspace}/channel/${cid}`,
    open: () => open(cid),
  })
  const latest = channels.listedCids(reader).slice(0, CHECKED_CHANNELS)
  const waiting = latest.flatMap((cid) => {
    if (mutes.isMuted(reader, 'channel', cid, now)) return []
    const count = unread.ofChannel(reader, cid, now).unread
    return count === 0 ? [] : [placeOf(cid, count)]
  })
  return {
    unread: waiting.slice(0, MAX_MENU_PLACES),
    recent: latest.slice(0, MAX_MENU_PLACES).map((cid) => placeOf(cid, 0)),
  }
}

/** The channel's own name, or the names of the other members of a direct conversation. */
function nameOf(reader: Reader, cid: Cid): string {
  const row = channels.byCid(reader, cid)
  if (!row) return cid
  if (row.name !== '') return row.name
  const others = directUserIds(row.id, members.firstIds(reader, cid), reader.viewerId)
  const names = others.map((id) => users.byId(reader, id)?.name ?? id)
  return names.length === 0 ? row.id : names.join(', ')
}

const workspaceOf = (ref: AccountRef): string =>
  linkWorkspace({
    name: '',
    kind: ref.kind === 'hosted' ? 'hosted' : 'local',
    demo: ref.kind === 'demo',
    url: ref.kind === 'hosted' ? ref.url : '',
  })
