import type { Session } from '#shared/domain/session.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { sidebarKey } from './sidebar.ts'

/** Channels with a setting enabled, by account (`sidebarKey`). */
type ChosenChannels = Readonly<Record<string, readonly string[]>>

export const isChosen = (chosen: ChosenChannels, session: Session, cid: Cid): boolean =>
  chosen[sidebarKey(session)]?.includes(cid) ?? false

/** The setting changed for one channel. */
export function withChosen(chosen: ChosenChannels, session: Session, cid: Cid, on: boolean): ChosenChannels {
  const account = sidebarKey(session)
  const others = (chosen[account] ?? []).filter((each) => each !== cid)
  return { ...chosen, [account]: on ? [...others, cid] : others }
}
