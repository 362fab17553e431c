import type { Intent, IntentFor, SendPayload } from '#shared/domain/intent.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { mayCastVote, votedOption } from '#shared/rules/polls/polls.ts'
import { remainingIndexes } from '#shared/rules/messages/predict.ts'
import {
  deleteMessage,
  deleteReaction,
  getMessage,
  sendMessage,
  sendReaction,
  updateMessage,
  updateMessagePartial,
  type MessageInput,
} from '#shared/wire/messages.ts'
import type { WireAttachment, WireMessage } from '#shared/wire/objects.ts'
import { castVote, removeVote } from '#shared/wire/polls.ts'
import { uploadFile, uploadImage } from '#shared/wire/uploads.ts'
import type { UploadRow } from '#main/cache/rows.ts'
import * as polls from '#main/cache/messages/polls.ts'
import { AppError } from '#shared/lib/app-error.ts'
import * as uploads from '#main/cache/outbox/uploads.ts'
import type { Core, Timelines } from '../core.ts'
import { pollOf } from '../changes/visible.ts'
import { asWire, timeIn } from '../decode/read.ts'
import { fetchMessage } from '../features/channels/fetch.ts'
import { block } from '../features/people/blocking.ts'
import { dropDraft, sendDraft } from '../features/drafts/intents.ts'
import { removeReminder, setReminder } from '../features/reminders/fetch.ts'
import { forgetUploads, stagedPath } from '../features/uploads/staging.ts'
import { noteShare } from '../features/locations/sharing.ts'
import { receiveMessage, rewriteMessage, writePoll } from '../sync/write.ts'
import { arrivedShare, placeFields, pollMade } from './contents.ts'
import { Refusal, type Done } from './runner.ts'

type Parts = Timelines &
  Pick<
    Core,
    | 'background'
    | 'cache'
    | 'delivery'
    | 'drafts'
    | 'me'
    | 'outbox'
    | 'ports'
    | 'runner'
    | 'sendMark'
    | 'serverNow'
    | 'stagingFolder'
    | 'stores'
    | 'syncState'
  >

/** Intent → request → facts to store. One entry per kind; every request can be repeated without harm. */
export function perform(core: Parts, intent: Intent, signal: AbortSignal): Promise<Done> {
  switch (intent.kind) {
    case 'send-message':
      return send(core, intent, signal)
    case 'edit-message':
      return edit(core, intent, signal)
    case 'delete-message':
      return remove(core, intent, signal)
    case 'send-reaction':
    case 'delete-reaction':
      return react(core, intent, signal)
    case 'pin-message':
      return pin(core, intent, signal)
    case 'mark-read':
      return core.sendMark()(intent, signal)
    case 'upload':
      return upload(core, intent, signal)
    case 'cast-vote':
    case 'remove-vote':
      return vote(core, intent, signal)
    case 'set-reminder':
      return setReminder(core, intent, signal)
    case 'delete-reminder':
      return removeReminder(core, intent, signal)
    case 'block-person':
    case 'unblock-person':
      return block(core, intent, signal)
    case 'create-draft':
      return sendDraft(core, intent, signal)
    case 'delete-draft':
      return dropDraft(core, intent, signal)
  }
}

/** False while files of the message are still uploading. True if one has failed: sending then reports the failure. */
export function filesReady(core: Pick<Core, 'stores'>, intent: Intent): boolean {
  if (intent.kind !== 'send-message' || intent.payload.uploadIds.length === 0) return true
  const rows = uploads.byIds(core.stores.outbox.reader, intent.payload.uploadIds)
  if (rows.length < intent.payload.uploadIds.length) return true
  return rows.every((row) => row.state === 'finished') || rows.some((row) => row.state === 'failed')
}

async function send(core: Parts, intent: IntentFor<'send-message'>, signal: AbortSignal): Promise<Done> {
  const { payload, cid, parentId, id } = intent
  const rows = uploads.byIds(core.stores.outbox.reader, payload.uploadIds)
  if (rows.length < payload.uploadIds.length) throw new Refusal('upload/missing', false)
  if (rows.some((row) => row.state !== 'finished')) throw new Refusal('upload/failed', true)
  const asOf = core.asOf()
  const arrived = await arrivedShare(core, intent, signal)
  if (arrived) return sent(core, intent, arrived, asOf)
  const place = placeFields(core, intent)
  const poll = await pollMade(core, payload, signal)
  const { message } = await core.api.send(sendMessage, {
    params: splitCid(cid),
    body: {
      message: {
        id: intent.messageId ?? id,
        ...place,
        ...(payload.pollId === undefined ? {} : { poll_id: payload.pollId }),
        text: payload.text,
        attachments: [
          ...rows.map(attachmentFor),
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
  if (isBlocked(message)) throw new Refusal('message/blocked', true)
  return sent(core, intent, message, asOf, poll)
}

/**
 * The server's moderation rejected the message and stored nothing: the text stays in the outbox. See docs/wire.md
 * 7.8.
 */
function isBlocked(message: WireMessage): boolean {
  const action = asWire(message['moderation'])?.['action']
  return message.type === 'error' && typeof action === 'string' && /(^|_)remove$/iu.test(action)
}

function sent(
  core: Parts,
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
    },
  }
}

/** The server says that the id exists: the message is ours if author and text match. */
export async function verify(core: Parts, intent: Intent, signal: AbortSignal): Promise<Done | undefined> {
  if (intent.kind !== 'send-message') return undefined
  const asOf = core.asOf()
  const { message } = await core.api.send(getMessage, {
    params: { id: intent.messageId ?? intent.id },
    query: {},
    cid: intent.cid,
    signal,
  })
  const isOurs = message.user?.id === core.me && (message.text ?? '') === intent.payload.text
  return isOurs ? sent(core, intent, message, asOf) : undefined
}

function attachmentFor(row: UploadRow): WireAttachment {
  const common = { title: row.name, mime_type: row.mimeType, file_size: row.sizeBytes }
  if (row.kind !== 'image') {
    return {
      ...common,
      type: row.kind,
      ...(row.url === undefined ? {} : { asset_url: row.url }),
      ...(row.thumbUrl === undefined ? {} : { thumb_url: row.thumbUrl }),
      ...(row.duration === undefined ? {} : { duration: row.duration }),
      ...(row.waveform === undefined ? {} : { waveform_data: row.waveform }),
    }
  }
  return {
    ...common,
    type: 'image',
    fallback: row.alt ?? row.name,
    ...(row.url === undefined ? {} : { image_url: row.url }),
    ...(row.thumbUrl === undefined ? {} : { thumb_url: row.thumbUrl }),
    ...(row.width === undefined ? {} : { original_width: row.width }),
    ...(row.height === undefined ? {} : { original_height: row.height }),
  }
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
async function edit(core: Parts, intent: IntentFor<'edit-message'>, signal: AbortSignal): Promise<Done> {
  const id = idOf(intent)
  const row = await fetchMessage(core, intent.cid, id).catch((error: unknown) => {
    const isMissing = error instanceof AppError && ['message/gone', 'message/elsewhere'].includes(error.code)
    throw isMissing ? new Refusal('server/not-found', false) : error
  })
  const { skipEnrich } = intent.payload
  const remaining = remainingIndexes(intent.payload.kept, row.attachments.length)
  const asOf = core.asOf()
  const { message } = await core.api.send(updateMessage, {
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
  return { apply: (tx) => void rewriteMessage(tx, message, { asOf, cid: intent.cid, isAnswer: true }) }
}

async function remove(
  core: Pick<Core, 'api' | 'asOf'>,
  intent: IntentFor<'delete-message'>,
  signal: AbortSignal,
): Promise<Done> {
  const asOf = core.asOf()
  const { message } = await core.api.send(deleteMessage, {
    params: { id: idOf(intent) },
    query: {},
    cid: intent.cid,
    signal,
  })
  return {
    apply: (tx) => void rewriteMessage(tx, { ...message, type: 'deleted' }, { asOf, cid: intent.cid, isAnswer: true }),
  }
}

async function react(
  core: Pick<Core, 'api' | 'asOf'>,
  intent: IntentFor<'send-reaction'> | IntentFor<'delete-reaction'>,
  signal: AbortSignal,
): Promise<Done> {
  const id = idOf(intent)
  const asOf = core.asOf()
  const { type } = intent.payload
  const { message } =
    intent.kind === 'send-reaction'
      ? await core.api.send(sendReaction, {
          params: { id },
          body: { reaction: { type, score: intent.payload.score } },
          cid: intent.cid,
          signal,
        })
      : await core.api.send(deleteReaction, { params: { id, type }, cid: intent.cid, signal })
  return { apply: (tx) => void rewriteMessage(tx, message, { asOf, cid: intent.cid, isAnswer: true }) }
}

async function pin(
  core: Pick<Core, 'api' | 'asOf'>,
  intent: IntentFor<'pin-message'>,
  signal: AbortSignal,
): Promise<Done> {
  const asOf = core.asOf()
  const { message } = await core.api.send(updateMessagePartial, {
    params: { id: idOf(intent) },
    body: { set: { pinned: intent.payload.pinned } },
    cid: intent.cid,
    signal,
  })
  return { apply: (tx) => void rewriteMessage(tx, message, { asOf, cid: intent.cid, isAnswer: true }) }
}

/** Measured over a shorter time the speed would fluctuate. */
const SPEED_AFTER_S = 1

async function upload(core: Parts, intent: IntentFor<'upload'>, signal: AbortSignal): Promise<Done> {
  const { uploadId } = intent.payload
  const row = uploads.byId(core.stores.outbox.reader, uploadId)
  if (row === undefined || !row.complete) throw new Refusal('upload/missing', false)
  if (row.state === 'finished') return {}
  const path = stagedPath(core, row.stagedName)
  if ((await core.ports.files.size(path)) !== row.sizeBytes) throw new Refusal('upload/missing', false)
  core.stores.outbox.transaction((tx) => uploads.change(tx, uploadId, { state: 'uploading', reason: undefined }))
  const began = core.ports.clock.monotonic()
  const onProgress = (sentBytes: number): void => {
    const seconds = (core.ports.clock.monotonic() - began) / 1_000
    if (seconds >= SPEED_AFTER_S) core.memory.speed.set(uploadId, Math.round(sentBytes / seconds))
    core.memory.progress.set(uploadId, row.sizeBytes === 0 ? 1 : Math.min(1, sentBytes / row.sizeBytes))
    core.collector.touch('uploads', uploadId)
    if (row.messageId !== undefined) core.collector.touch('messages', row.messageId)
  }
  const reply = await core.api.upload(row.kind === 'image' ? uploadImage : uploadFile, {
    params: splitCid(row.cid),
    file: { path, fileName: row.name, mimeType: row.mimeType, onProgress },
    signal,
  })
  return {
    finish: (tx) => {
      uploads.change(tx, uploadId, {
        state: 'finished',
        url: reply.file,
        ...(reply.thumb_url === undefined || reply.thumb_url === null ? {} : { thumbUrl: reply.thumb_url }),
      })
    },
    after: () => {
      core.memory.progress.delete(uploadId)
      core.memory.speed.delete(uploadId)
    },
  }
}

async function vote(
  core: Pick<Core, 'api' | 'asOf' | 'cache' | 'serverNow'>,
  intent: IntentFor<'cast-vote'> | IntentFor<'remove-vote'>,
  signal: AbortSignal,
): Promise<Done> {
  const { pollId } = intent.payload
  const messageId = idOf(intent)
  const asOf = core.asOf()
  const row = polls.byId(core.cache.reader, pollId)
  const optionId = (row && votedOption(row, intent.payload)?.id) ?? intent.payload.optionId
  const own = row?.ownVotes?.find((each) => each.optionId === optionId)
  if (intent.kind === 'remove-vote' && own === undefined) return {}
  // Closed or full in the meantime: the server would only answer that the input is invalid.
  const issue = row && intent.kind === 'cast-vote' ? mayCastVote(pollOf(row), optionId, core.serverNow())[0] : undefined
  if (issue) throw new Refusal(issue.code, issue.code === 'poll/vote-limit')
  const reply =
    intent.kind === 'cast-vote'
      ? await core.api.send(castVote, {
          params: { messageId, pollId },
          body: { vote: { option_id: optionId } },
          signal,
        })
      : await core.api.send(removeVote, { params: { messageId, pollId, voteId: own?.id ?? '' }, signal })
  // The answer is at least as new as the vote in it: an event that arrived meanwhile does not make it outdated.
  const at = intent.kind === 'cast-vote' ? Math.max(asOf, timeIn(reply.vote, 'updated_at') ?? 0) : asOf
  return reply.poll ? { apply: (tx) => writePoll(tx, reply.poll, at) } : {}
}

const idOf = (intent: Intent) => intent.messageId ?? asMessageId(intent.id)
