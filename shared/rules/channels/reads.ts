import type { Channel } from '#shared/domain/channel.ts'
import type { Session } from '#shared/domain/session.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { isChosen, withChosen } from './channels.ts'

export type ReadMark = { readonly lastReadAt: number; readonly lastReadMessageId?: MessageId }

/**
 * Read events are sent only when the channel's configuration and the viewer's capabilities allow. See docs/wire.md 7.11.
 */
export function maySendRead(channel: {
  readonly config: Pick<Channel['config'], 'readEvents'>
  readonly capabilities: readonly string[]
}): boolean {
  return (
    channel.config.readEvents && (channel.capabilities.length === 0 || channel.capabilities.includes('read-events'))
  )
}

type Traceless = Settings['traceless']

/** Reads here are not published, neither to others nor to the server: the mark is stored on this device only. */
export const isTraceless = (traceless: Traceless, session: Session, cid: Cid): boolean =>
  isChosen(traceless, session, cid)

/** The setting changed for one channel. */
export const withTraceless = (traceless: Traceless, session: Session, cid: Cid, on: boolean): Traceless =>
  withChosen(traceless, session, cid, on)

type Fact = ReadMark & { readonly firstUnreadId?: MessageId; readonly asOf: number }
type LocalMark = {
  readonly readAt: number
  readonly upTo: MessageId | undefined
  readonly firstUnreadId: MessageId | undefined
  readonly at: number
  readonly refused?: true
}

/**
 * The viewer's read mark combined with the one stored only on this device: the later one wins. A later "mark unread",
 * on any device, also applies here. After a "mark unread" that the server refused, it stays unread until something is
 * read later than that.
 */
export function withLocalRead<Mark extends Fact>(
  fact: Mark | undefined,
  local: LocalMark | undefined,
): Mark | Fact | undefined {
  if (local === undefined) return fact
  const mark = { lastReadAt: local.readAt, lastReadMessageId: local.upTo, firstUnreadId: local.firstUnreadId }
  if (fact === undefined) return { ...mark, asOf: local.at }
  const takenBack = fact.firstUnreadId !== undefined && fact.asOf > local.at
  const readBy = local.refused ? local.at : local.readAt
  return takenBack || fact.lastReadAt >= readBy ? fact : { ...fact, ...mark }
}
