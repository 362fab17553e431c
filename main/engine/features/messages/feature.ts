import { composerKey } from '#shared/domain/draft.ts'
import { asCid, asMessageId, type MessageId, type UserId } from '#shared/lib/brand.ts'
import type { IntentFor, SendPayload } from '#shared/domain/intent.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { NOTICES } from '#shared/rules/notifications/notices.ts'
import { remainingIndexes } from '#shared/rules/messages/predict.ts'
import {
  deleteMessage,
  getMessage,
  sendMessage,
  updateMessage,
  updateMessagePartial,
  type MessageInput,
} from '#shared/wire/messages.ts'
import type { WireMessage } from '#shared/wire/objects.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as reads from '#main/cache/channels/reads.ts'
import * as removal from '#main/cache/messages/removal.ts'
import type { Tx } from '#main/cache/store.ts'
import * as uploads from '#main/cache/outbox/uploads.ts'
import type { Core, Requests, Submissions, Timelines } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import type { Appliers } from '../../sync/ingest.ts'
import { decodeOnly, noteWatchers, receiveMessage, rewriteMessage, writeUser, writePoll } from '../../sync/write.ts'
import { messageCalls } from './calls.ts'
import { ApiError } from '../../api/errors.ts'
import { asWire } from '../../decode/read.ts'
import { type KindOfIntent, messageIdOf } from '../../outbox/outbox.ts'
import { Refusal, type Done } from '../../outbox/runner.ts'
import { placeOf } from './unsent.ts'
import { fetchMessage } from '../channels/fetch.ts'
import { arrivedShare, noteShare, placeFields } from '../locations/sharing.ts'
import { createPollOf } from '../polls/requests.ts'
import { sendUnreadSince } from '../reads/marker.ts'
import { forgetUploads, attachmentOf } from '../uploads/staging.ts'

type WritingParts = Timelines &
  Pick<
    Core,
    'background' | 'cache' | 'me' | 'notify' | 'outbox' | 'ports' | 'runner' | 'serverNow' | 'stagingFolder' | 'stores'
  >

const sending: KindOfIntent<'send-message', WritingParts> = {
  perform: send,
  verify,
  isReady: filesReady,
  placeNow: (core, { cid, parentId }) => placeOf(core, cid, parentId),
  dropped: (core, { payload }) => forgetUploads(core, payload.uploadIds),
  parked(_core, { payload }) {
    if (payload.poll !== undefined) return NOTICES.pollFailed
    return payload.place === undefined ? undefined : NOTICES.locationFailed
  },
}

/** False while files of the message are still uploading. True if one has failed: sending then reports the failure. */
function filesReady(core: Pick<Core, 'stores'>, intent: IntentFor<'send-message'>): boolean {
  if (intent.payload.uploadIds.length === 0) return true
  const rows = uploads.byIds(core.stores.outbox.reader, intent.payload.uploadIds)
  if (rows.length < intent.payload.uploadIds.length) return true
  return rows.every((row) => row.state === 'finished') || rows.some((row) => row.state === 'failed')
}

async function send(core: WritingParts, intent: IntentFor<'send-message'>, signal: AbortSignal): Promise<Done> {
  const { payload, cid, parentId, id } = intent
  const rows = uploads.byIds(core.stores.outbox.reader, payload.uploadIds)
  if (rows.length < payload.uploadIds.length) throw new Refusal('upload/missing', false)
  if (rows.some((row) => row.state !== 'finished')) throw new Refusal('upload/failed', true)
  const asOf = core.asOf()
  const arrived = await arrivedShare(core, intent, signal)
  if (arrived) return sent(core, intent, arrived, asOf)
  const place = placeFields(core, intent)
  const poll = await createPollOf(core, payload, signal)
  const { message } = await core.api.send(sendMessage, {
    params: splitCid(cid),
    body: {
      message: {
        id: intent.messageId ?? id,
        ...place,
        ...(payload.pollId === undefined ? {} : { poll_id: payload.pollId }),
        text: payload.text,
        attachments: [
          ...rows.map(attachmentOf),
          ...[...(payload.files ?? []), ...(payload.previews ?? [])].map((each) => each.raw),
        ],
        mentioned_users: payload.mentionedUserIds,
        ...broadcastMentions(payload),
        ...(parentId === undefined ? {} : { parent_id: parentId, show_in_channel: payload.showInChannel }),
        ...(payload.quotedId === undefined ? {} : { quoted_message_id: payload.quotedId }),
        ...(payload.silent ? { silent: true } : {}),
      },
      skip_push: payload.silent ? true : undefined,
      skip_enrich_url: payload.skipEnrich ? true : undefined,
    },
    signal,
  })
  refuseReturned(message)
  return sent(core, intent, message, asOf, poll)
}

/**
 * The server's moderation rejected the message and stored nothing: the text stays in the outbox, with the rule that
 * rejected it where the server names it. See docs/wire.md 5.26, 7.8.
 */
function refuseReturned(message: WireMessage): void {
  const { action, rule, text } = asWire(message['moderation']) ?? {}
  if (message.type !== 'error' || typeof action !== 'string' || !/(^|_)(remove|bounce)$/iu.test(action)) return
  if (typeof rule !== 'string' || rule === '') throw new Refusal('message/blocked', true)
  const named = { rule: rule.slice(0, NAME_LIMIT) }
  if (typeof text !== 'string' || text === '') throw new Refusal('message/returned-by', true, named)
  throw new Refusal('message/returned-because', true, { ...named, text: text.slice(0, TEXT_LIMIT) })
}

const NAME_LIMIT = 255
const TEXT_LIMIT = 500

function sent(
  core: WritingParts,
  intent: IntentFor<'send-message'>,
  message: WireMessage,
  asOf: number,
  poll?: unknown,
): Done {
  return {
    apply: (tx) => {
      const live = core.isHealthy() && core.watched.has(intent.cid)
      if (poll !== undefined) writePoll(tx, poll, asOf)
      receiveMessage(tx, message, { asOf, cid: intent.cid, live, isAnswer: true })
    },
    after: () => {
      forgetUploads(core, intent.payload.uploadIds)
      noteShare(core, intent)
      const { unreadAfter } = intent.payload
      // To the server every message of one's own means that all before it was read.
      if (unreadAfter !== undefined)
        core.background('unread mark of a forwarded message', () => sendUnreadSince(core, intent.cid, unreadAfter))
    },
  }
}

/**
 * The server says that the id exists. The message is ours if author and text match; another device of the same person may
 * have sent it and changed or deleted it since.
 */
async function verify(
  core: WritingParts,
  intent: IntentFor<'send-message'>,
  signal: AbortSignal,
): Promise<Done | undefined> {
  const asOf = core.asOf()
  const { message } = await core.api.send(getMessage, {
    params: { id: intent.messageId ?? intent.id },
    query: {},
    cid: intent.cid,
    signal,
  })
  const isChanged = message.type === 'deleted' || Date.parse(message.message_text_updated_at ?? '') > 0
  const isOurs = message.user?.id === core.me && (isChanged || (message.text ?? '') === intent.payload.text)
  return isOurs ? sent(core, intent, message, asOf) : undefined
}

const broadcastMentions = ({
  reach = [],
}: Pick<SendPayload, 'reach'>): Pick<MessageInput, 'mentioned_channel' | 'mentioned_here'> => ({
  mentioned_channel: reach.includes('channel') ? true : undefined,
  mentioned_here: reach.includes('here') ? true : undefined,
})

/**
 * The update replaces the whole message, so everything but its text is sent back unchanged. If the message is not cached,
 * as after the cache was rebuilt, it is fetched first.
 */
async function edit(core: WritingParts, intent: IntentFor<'edit-message'>, signal: AbortSignal): Promise<Done> {
  const id = messageIdOf(intent)
  const row = await fetchMessage(core, intent.cid, id).catch((error: unknown) => {
    const isMissing = error instanceof AppError && ['message/gone', 'message/elsewhere'].includes(error.code)
    throw isMissing ? new Refusal('server/not-found', false) : error
  })
  const { skipEnrich } = intent.payload
  const remaining = remainingIndexes(intent.payload.kept, row.attachments.length)
  const asOf = core.asOf()
  const edited = core.api.send(updateMessage, {
    params: { id },
    body: {
      message: {
        ...row.custom,
        id,
        text: intent.payload.text,
        attachments: row.attachments.flatMap((each, index) =>
          remaining && !remaining.includes(index) ? [] : [each.raw],
        ),
        mentioned_users: intent.payload.mentionedUserIds,
        ...broadcastMentions(intent.payload),
        ...(row.quotedId === undefined ? {} : { quoted_message_id: row.quotedId }),
      },
      skip_enrich_url: skipEnrich ? true : undefined,
    },
    cid: intent.cid,
    signal,
  })
  const { message } = await edited.catch((error: unknown) => {
    throw refusedByRule(error) ?? error
  })
  return { apply: (tx) => void rewriteMessage(tx, message, { asOf, cid: intent.cid, isAnswer: true }) }
}

/** An edit that a rule does not allow: the server names the rule in its message. */
function refusedByRule(error: unknown): Refusal | undefined {
  const reason = error instanceof ApiError && error.failure.kind === 'answer' ? error.failure.message : undefined
  const at = reason?.indexOf(BLOCKED) ?? -1
  if (reason === undefined || at < 0) return undefined
  const rule = /^: (.+)"$/su.exec(reason.slice(at + BLOCKED.length))?.[1]
  return rule === undefined
    ? new Refusal('message/blocked', true)
    : new Refusal('message/returned-by', true, { rule: rule.slice(0, NAME_LIMIT) })
}

const BLOCKED = 'Message was blocked by moderation policies'

async function remove(
  core: Pick<Core, 'api' | 'asOf'>,
  intent: IntentFor<'delete-message'>,
  signal: AbortSignal,
): Promise<Done> {
  const asOf = core.asOf()
  const { message } = await core.api.send(deleteMessage, {
    params: { id: messageIdOf(intent) },
    query: {},
    cid: intent.cid,
    signal,
  })
  return {
    apply: (tx) => void rewriteMessage(tx, { ...message, type: 'deleted' }, { asOf, cid: intent.cid, isAnswer: true }),
  }
}

function pinBody({ pinned, until }: IntentFor<'pin-message'>['payload']) {
  if (until === null) return { set: { pinned }, unset: ['pin_expires'] }
  return { set: { pinned, ...(until === undefined ? {} : { pin_expires: new Date(until).toISOString() }) } }
}

async function pin(
  core: Pick<Core, 'api' | 'asOf'>,
  intent: IntentFor<'pin-message'>,
  signal: AbortSignal,
): Promise<Done> {
  const asOf = core.asOf()
  const { message } = await core.api.send(updateMessagePartial, {
    params: { id: messageIdOf(intent) },
    body: pinBody(intent.payload),
    cid: intent.cid,
    signal,
  })
  return { apply: (tx) => void rewriteMessage(tx, message, { asOf, cid: intent.cid, isAnswer: true }) }
}

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
