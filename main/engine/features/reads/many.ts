import { contentOf } from '#shared/domain/message.ts'
import type { UnreadPlace } from '#shared/domain/unread.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { markChannelsRead } from '#shared/wire/channels.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as localReads from '#main/cache/outbox/local-reads.ts'
import type { LocalRead } from '#main/cache/outbox/local-reads.ts'
import * as pages from '#main/cache/messages/pages.ts'
import * as reads from '#main/cache/channels/reads.ts'
import * as unread from '#main/cache/channels/unread.ts'
import { isSilenced, readState, visibleChannel } from '../../changes/visible.ts'
import { pendingRead, visibleMessage } from '../../changes/visible-message.ts'
import { type Core, type Recovery, type Requests, requireConnection } from '../../core.ts'
import { timeOf } from '../../decode/read.ts'
import { refreshThread, refreshTimeline } from '../../sync/recover.ts'
import { type ReadMarker, sendUnread, sendUnreadSince } from './marker.ts'
import { isReadWithoutTrace, storeLocalRead, readsWithoutTrace, refusedMark, type Mark } from './traceless.ts'

/** State of a channel before it was marked read with others. */
type Previous = {
  /** First message that was unread; absent: not cached. */
  readonly from?: MessageId
  /** Up to where it was read: identifies the place if that message is not cached. */
  readonly readAt?: number
  /** An earlier mark that was not sent yet. */
  readonly waiting?: { readonly upTo?: MessageId; readonly readAt: number }
  /** An earlier mark that stays on this device; absent: the server receives the read marks of this channel. */
  readonly local?: Mark
  /** Unread only on this device, because the server refused the mark. */
  readonly refused?: LocalRead
}

/** Marks many channels as read, and undoes it. */
type ManyReads = {
  /** Marks everything, or these channels. Returns how many were unread. */
  mark(cids?: readonly Cid[]): Promise<number>
  /** Restores the previous state of the channels marked last, or of these. Returns how many. */
  undo(cids?: readonly Cid[]): Promise<number>
}

type Parts = Requests & Pick<Core, 'cache' | 'context' | 'memory' | 'notify' | 'outbox' | 'serverNow' | 'stores'>

export function createManyReads(core: Parts, marker: ReadMarker): ManyReads {
  let last = new Map<Cid, Previous>()

  const waitingIn = (cid: Cid) =>
    core.outbox
      .in(cid)
      .filter((each) => each.kind === 'mark-read' && each.parentId === undefined && each.state !== 'inflight')

  function stateOf(cid: Cid): Previous {
    const waiting = waitingIn(cid).find((each) => each.kind === 'mark-read')
    const { firstUnreadId, lastReadAt } = readState(core.context, cid)
    return {
      from: firstUnreadId,
      readAt: lastReadAt,
      waiting: waiting?.kind === 'mark-read' ? waiting.payload : undefined,
      local: isReadWithoutTrace(core, cid) ? markBefore(cid) : undefined,
      refused: refusedMark(core, { cid }),
    }
  }

  const markBefore = (cid: Cid): Mark => {
    const { lastReadAt = 0, lastReadMessageId } = readState(core.context, cid)
    return { readAt: lastReadAt, upTo: lastReadMessageId }
  }

  async function restore(cid: Cid, { from, readAt, waiting, local, refused }: Previous): Promise<boolean> {
    if (refused !== undefined) {
      core.outbox.remove(waitingIn(cid).map(({ id }) => id))
      // With the current time, so that it replaces the mark that was just made.
      core.stores.outbox.transaction((tx) => localReads.put(tx, { ...refused, at: core.serverNow() }))
      return true
    }
    if (local !== undefined) {
      storeLocalRead(core, { cid }, local)
      return true
    }
    const mine = waitingIn(cid)
    if (mine.length > 0) {
      // The mark was not sent yet: removing it from the outbox restores the state exactly.
      core.outbox.remove(mine.map(({ id }) => id))
      if (waiting !== undefined) core.outbox.add({ kind: 'mark-read', cid, parentId: undefined, payload: waiting })
      return true
    }
    if (from === undefined && readAt === undefined) return false
    requireConnection(core)
    if (from !== undefined) await sendUnread(core, cid, from)
    else await sendUnreadSince(core, cid, readAt ?? 0)
    return true
  }

  return {
    async mark(cids) {
      const unreadCids = (cids ?? channels.listedCids(core.cache.reader)).filter(
        (cid) => (visibleChannel(core.context, cid)?.unread ?? 0) > 0,
      )
      const previous = new Map(unreadCids.map((cid) => [cid, stateOf(cid)]))
      last = cids === undefined ? previous : new Map([...last, ...previous])
      if (cids === undefined && !readsWithoutTrace(core) && core.isHealthy()) await markAll(core)
      else marker.markMany(unreadCids)
      return unreadCids.length
    },
    async undo(cids) {
      const chosen = [...last].filter(([cid]) => cids === undefined || cids.includes(cid))
      let restored = 0
      for (const [cid, previous] of chosen) {
        if (await restore(cid, previous)) restored += 1
        last.delete(cid)
      }
      return restored
    },
  }
}

/** One request for everything, including channels read without telling the server. */
async function markAll(core: Parts): Promise<void> {
  const waiting = core.outbox
    .all()
    .filter((each) => each.kind === 'mark-read' && each.parentId === undefined && each.state !== 'inflight')
  const asOf = core.asOf()
  const { event } = await core.api.send(markChannelsRead, { body: {}, signal: core.life })
  core.outbox.remove(waiting.map((each) => each.id))
  core.write((tx) => reads.allRead(tx, timeOf(event?.created_at) ?? asOf))
}

/** Number of messages shown per place. */
const PREVIEW = 3
/** Messages searched for the preview: own and silent ones are skipped. */
const SEARCHED_MESSAGES = 20

/** Every channel and thread with unread messages, with a preview; from the cache alone. */
export function unreadPlaces(core: Pick<Core, 'cache' | 'context' | 'me' | 'serverNow'>): readonly UnreadPlace[] {
  return core.cache.read(() =>
    channels.listedCids(core.cache.reader).flatMap((cid): UnreadPlace[] => {
      const channel = visibleChannel(core.context, cid)
      if (!channel || channel.hidden || channel.archivedAt !== undefined) return []
      const isCounted = channel.muted ? channel.unreadMentions > 0 : channel.unread > 0
      const own: UnreadPlace[] = isCounted
        ? [
            {
              cid,
              unread: channel.unread,
              mentions: channel.unreadMentions,
              firstId: channel.firstUnreadId,
              ...previewOf(core, `timeline:${cid}`, channel.lastReadAt),
            },
          ]
        : []
      return channel.muted ? own : [...own, ...unreadThreads(core, cid)]
    }),
  )
}

const unreadThreads = (core: Pick<Core, 'cache' | 'context' | 'me' | 'serverNow'>, cid: Cid): UnreadPlace[] =>
  unread.followedThreads(core.cache.reader, cid).flatMap((parentId): UnreadPlace[] => {
    const pending = pendingRead(core.context, { cid, id: parentId })
    const count = unread.ofThread(core.cache.reader, cid, parentId, core.serverNow(), pending)
    if (count === 0) return []
    const mark = pending ?? reads.own(core.cache.reader, cid, parentId)?.lastReadAt
    const preview = previewOf(core, `thread:${parentId}`, mark)
    const firstId = preview.preview[0]?.messageId
    return [{ cid, parentId, unread: count, mentions: 0, firstId, ...preview }]
  })

function previewOf(
  core: Pick<Core, 'cache' | 'context' | 'me'>,
  scope: `timeline:${Cid}` | `thread:${MessageId}`,
  since = 0,
): Pick<UnreadPlace, 'preview' | 'newestAt'> {
  const newest = pages.newest(core.cache.reader, scope, 1)[0]
  const keys = pages.after(core.cache.reader, scope, { createdAt: since, id: '\u{10FFFF}' }, SEARCHED_MESSAGES)
  const messages = keys
    .flatMap(({ id }) => visibleMessage(core.context, id as MessageId) ?? [])
    .filter(({ userId, type }) => userId !== core.me && type !== 'deleted' && type !== 'system')
    .filter(({ userId }) => !isSilenced(core.context, userId))
    .slice(0, PREVIEW)
  return {
    newestAt: newest?.createdAt ?? since,
    preview: messages.map((message) => ({
      messageId: message.id,
      userId: message.userId,
      text: message.text,
      createdAt: message.createdAt,
      content: contentOf(message),
      files: message.attachments.length,
    })),
  }
}

/** Fetches the state from the server again, which corrects the cached counts. */
export async function recount(core: Recovery, cid: Cid, parentId: MessageId | undefined): Promise<void> {
  requireConnection(core)
  const begun = parentId === undefined ? refreshTimeline(core, cid) : refreshThread(core, cid, parentId)
  const failed = await begun.tried
  if (failed instanceof Error) throw failed
}
