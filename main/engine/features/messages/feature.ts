import { composerKey } from '#shared/domain/draft.ts'
import { asCid, asMessageId, type MessageId, type UserId } from '#shared/lib/brand.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as reads from '#main/cache/channels/reads.ts'
import * as removal from '#main/cache/messages/removal.ts'
import type { Tx } from '#main/cache/tx.ts'
import type { Core, Requests, Submissions } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import type { Appliers } from '../../sync/ingest.ts'
import { decodeOnly, noteWatchers, receiveMessage, rewriteMessage, writeUser } from '../../sync/write.ts'
import { messageCalls } from './calls.ts'
import { edit, pin, remove, sending } from './requests.ts'

/** See docs/wire.md 4.3. */
const messageEvents: Appliers = {
  'message.new': (tx, event, context) => {
    const live = context.live && context.watched.has(asCid(event.cid))
    const row = receiveMessage(tx, event.message, { asOf: context.at, cid: event.cid, live })
    noteWatchers(event, context)
    if (!row) return
    reads.advance(tx, {
      cid: row.cid,
      userId: row.userId,
      threadId: row.parentId,
      at: row.createdAt,
      messageId: asMessageId(row.id),
    })
    const { parentId } = row
    if (parentId !== undefined) context.later(() => context.threads().replied(parentId, false))
    if (row.parentId !== undefined && canParticipate(tx, row.parentId, context.me)) {
      reads.follow(tx, { cid: row.cid, threadId: row.parentId, from: row.createdAt })
    }
    context.typing.stop(composerKey(row.cid, row.parentId), row.userId)
    if (context.recent && row.userId !== context.me) context.arrived(row)
  },
  'message.updated': (tx, event, { at }) => {
    rewriteMessage(tx, event.message, { asOf: at, cid: event.cid })
  },
  'message.undeleted': (tx, event, { at }) => {
    rewriteMessage(tx, event.message, { asOf: at, cid: event.cid })
  },
  'message.deleted': (tx, event, { at, erased }) => {
    if (event.hard_delete !== true) {
      rewriteMessage(tx, { ...event.message, type: 'deleted' }, { asOf: at, cid: event.cid })
      return
    }
    const row = decodeOnly(tx, event.message, { asOf: at, cid: event.cid })
    if (row) removal.removeForGood(tx, row, at)
    erased()
  },
  'user.messages.deleted': (tx, event, { at, erased }) => {
    const row = writeUser(tx, event.user, at)
    const scope = event.cid === undefined ? {} : { cid: asCid(event.cid) }
    if (row) removal.deleteOfUser(tx, row.id, { ...scope, hard: event.hard_delete === true, at })
    erased()
  },
}

/** The author of a thread's first message and its participants are notified of replies. See docs/wire.md 8.11. */
function canParticipate(tx: Tx, parentId: MessageId, me: UserId): boolean {
  const parent = messages.byId(tx, parentId)
  return parent !== undefined && (parent.userId === me || parent.threadParticipantIds.includes(me))
}

type Parts = Submissions &
  Requests &
  Pick<
    Core,
    'background' | 'context' | 'draftRevisions' | 'log' | 'me' | 'memory' | 'stagingFolder' | 'stores' | 'watched'
  >

export const messagesFeature = defineFeature({
  events: messageEvents,
  kinds: {
    'send-message': sending,
    'edit-message': { perform: edit },
    'delete-message': { perform: remove },
    'pin-message': { perform: pin },
  },
  create: (core: Parts) => ({ calls: { messages: messageCalls(core) } }),
})
