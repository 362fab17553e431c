import type { UnreadExplained } from '#shared/domain/unread.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { isDirect, splitCid } from '#shared/rules/channels/channels.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as localReads from '#main/cache/outbox/local-reads.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import * as reads from '#main/cache/channels/reads.ts'
import * as unread from '#main/cache/channels/unread.ts'
import type { ReadContext } from '../../changes/memory.ts'
import { pendingRead } from '../../changes/visible-message.ts'
import { readState } from '../../changes/visible.ts'

/** Explains why something is unread, from the same rows as the count. */
export function explainUnread(context: ReadContext, cid: Cid, parentId?: MessageId): UnreadExplained {
  const channel = channels.byCid(context.cache, cid)
  const fact = reads.own(context.cache, cid, parentId)
  const now = context.now()
  const state = parentId === undefined ? channelState(context, cid) : threadState(context, cid, parentId)
  const direct = isDirect(splitCid(cid).id)
  const readsOff = channel?.capabilities?.includes('read-events') === false
  const stored = localReads.of(context.pending, cid, parentId)
  const isLocalOnly = stored?.refused === true && state.lastReadAt === stored.readAt
  const { reasons, leftOut } =
    state.lastReadAt === undefined || (readsOff && !isLocalOnly)
      ? { reasons: {}, leftOut: {} }
      : unread.judgedAfter(
          context.cache,
          { cid, parentId },
          {
            viewerId: context.me,
            lastReadAt: state.lastReadAt,
            hideBefore: channel?.hideBefore,
            mutedUserIds: mutedPeople(context, now),
            isDirect: direct,
            inThread: parentId !== undefined,
          },
        )
  const held = Object.values(reasons).reduce((sum, count) => sum + count, 0)
  const muted = mutes.isMuted(context.cache, 'channel', cid, now)
  const isListed = channels.listedCids(context.cache).includes(cid)
  return {
    ...state,
    reasons,
    leftOut,
    notHeld: Math.max(0, state.unread - held),
    markedUnread: fact?.firstUnreadId !== undefined || isLocalOnly,
    isLocalOnly: isLocalOnly,
    markWaits: !isLocalOnly && state.lastReadAt !== fact?.lastReadAt,
    basis: state.lastReadAt === undefined || readsOff ? 'none' : state.unread > held ? 'server' : 'held',
    muted,
    hidden: channel?.hidden ?? false,
    readsOff: readsOff && !isLocalOnly,
    inBadge: parentId !== undefined || muted || !isListed ? 0 : direct ? state.unread : state.mentions,
    threads: parentId === undefined ? unreadThreads(context, cid, now) : [],
  }
}

type State = Pick<UnreadExplained, 'unread' | 'mentions' | 'lastReadAt' | 'lastReadMessageId' | 'firstUnreadId'>

function channelState(context: ReadContext, cid: Cid): State {
  const { unreadMentions, ...state } = readState(context, cid)
  return { ...state, mentions: unreadMentions }
}

function threadState(context: ReadContext, cid: Cid, parentId: MessageId): State {
  const fact = reads.own(context.cache, cid, parentId)
  const pending = pendingRead(context, { cid, id: parentId })
  const lastReadAt = pending ?? fact?.lastReadAt
  return {
    unread: unread.ofThread(context.cache, cid, parentId, context.now(), pending),
    mentions: 0,
    lastReadAt,
    lastReadMessageId: fact?.lastReadMessageId,
    firstUnreadId: fact?.firstUnreadId,
  }
}

const unreadThreads = (context: ReadContext, cid: Cid, now: number): UnreadExplained['threads'] =>
  unread
    .followedThreads(context.cache, cid)
    .map((parentId) => ({
      parentId,
      unread: unread.ofThread(context.cache, cid, parentId, now, pendingRead(context, { cid, id: parentId })),
    }))
    .filter((thread) => thread.unread > 0)

const mutedPeople = (context: ReadContext, now: number): ReadonlySet<string> =>
  new Set(
    mutes
      .of(context.cache, 'user')
      .filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now)
      .map(({ target }) => target),
  )
