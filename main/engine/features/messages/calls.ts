import type { EditPayload, IntentPayloads, SendPayload, ForwardedFile } from '#shared/domain/intent.ts'
import type { QuotedMessage } from '#shared/domain/message.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError, type Issue } from '#shared/lib/app-error.ts'
import { asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { DEFAULT_MESSAGE_LENGTH } from '#shared/constants.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { mayEdit, maySend } from '#shared/rules/composer/composer.ts'
import { previewLinks, previewDecision } from '#shared/rules/messages/link-previews.ts'
import { presentBroadcasts } from '#shared/rules/messages/mentions.ts'
import { quoteOf } from '#shared/rules/messages/predict.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { presentMentions, withUnixLines } from '#shared/rules/messages/text.ts'
import { flagTarget } from '#shared/wire/moderation.ts'
import type { FileRef } from '#shared/rules/messages/forward.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as drafts from '#main/cache/outbox/drafts.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as uploadTable from '#main/cache/outbox/uploads.ts'
import * as users from '#main/cache/people/users.ts'
import type { AttachmentRow, Custom } from '#main/cache/rows.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import { readState, visibleUpload } from '../../changes/visible.ts'
import { isReadWithoutTrace } from '../reads/traceless.ts'
import type { CallContext, ClientId } from '../../context.ts'
import { type Core, type Requests, type Submissions, requireConnection } from '../../core.ts'
import { emptyComposer } from '../drafts/sync.ts'
import { forgetUploads, throwUnknownUpload, unsentUploads } from '../uploads/staging.ts'
import { moreMessageCalls } from './more.ts'
import { partsOf, sendsOf, placeOf } from './unsent.ts'

type Handlers = HandlersOf<'messages', CallContext>
type SendInput = Parameters<Handlers['send']>[0]
type EditInput = Parameters<Handlers['edit']>[0]

type Parts = Submissions &
  Requests &
  Pick<
    Core,
    'background' | 'context' | 'draftRevisions' | 'log' | 'me' | 'memory' | 'stagingFolder' | 'stores' | 'watched'
  >

export function messageCalls(core: Parts): Handlers {
  return {
    ...moreMessageCalls(core),
    send: (input, { client }) => send(core, input, client),
    edit: (input) => edit(core, input),
    delete: ({ messageId, undoForMs }) => {
      const message = known(core, messageId)
      const request = { kind: 'delete-message', payload: { deletedAt: core.serverNow() } } as const
      forgetUploads(core, unsentUploads(submit(core, message, request, heldFor(core, undoForMs))))
    },
    undelete: ({ messageId }) => {
      const held = core.outbox
        .about(messageId)
        .filter(({ kind, state }) => kind === 'delete-message' && state === 'scheduled')
      if (held.length === 0) throw new AppError('message/deletion-done')
      core.outbox.remove(held.map(({ id }) => id))
      core.runner.kick()
    },
    toggleReaction: ({ messageId, type }) => {
      const message = known(core, messageId)
      const isOwn = message.reactions.some((group) => group.type === type && group.own)
      submit(
        core,
        message,
        isOwn
          ? { kind: 'delete-reaction', payload: { type } }
          : { kind: 'send-reaction', payload: { type, score: 1, reactedAt: core.serverNow() } },
      )
    },
    scoreReaction: ({ messageId, type, score }) => {
      const message = known(core, messageId)
      const again = messages.byId(core.cache.reader, messageId)?.ownReactions?.includes(type) === true
      const payload = { type, score, reactedAt: core.serverNow(), ...(again ? { again } : {}) }
      submit(core, message, { kind: 'send-reaction', payload })
    },
    pin: ({ messageId, pinned, until }) => {
      const payload = { pinned, pinnedAt: core.serverNow(), ...(until === undefined ? {} : { until }) }
      submit(core, known(core, messageId), { kind: 'pin-message', payload })
    },
    flag: async ({ messageId, reason }) => {
      requireConnection(core)
      const { id } = known(core, messageId)
      const why = reason === undefined ? {} : { reason }
      await core.api.send(flagTarget, { body: { target_message_id: id, ...why }, signal: core.life })
    },
  }
}

function send(core: Parts, input: SendInput, client: ClientId): MessageId {
  const { cid, parentId, quotedId } = input
  const given = input.id === undefined ? undefined : asMessageId(input.id)
  if (given !== undefined && isAccepted(core, given)) return given
  const key = composerKey(cid, parentId)
  const text = withUnixLines(input.text)
  const uploads = input.uploadIds.map((id) => stagedUpload(core, id))
  const whenReady = input.whenReady || input.sendAt !== undefined || !core.isHealthy()
  const maxLength = maxLengthOf(core, cid)
  const parts = partsOf(text, maxLength, input.split)
  refuse(maySend({ text: parts[0]?.text ?? text, uploads, maxLength, whenReady }))
  const files = forwardedFiles(core, input.files)
  const previews = (input.previewUrls ?? []).flatMap((url) => core.memory.previews.get(url) ?? [])
  const skipEnrich = input.skipEnrich === true || hasUnwantedLinks(core, cid, text)
  const parentSend = parentId === undefined ? undefined : core.outbox.byId(parentId)
  const quoted = quotedId === undefined ? undefined : quoteFrom(core, quotedId)
  const payload: SendPayload = {
    text,
    mentionedUserIds: input.mentionedUserIds,
    ...presentBroadcasts(text, input.reach),
    showInChannel: parentId !== undefined && input.showInChannel,
    uploadIds: input.uploadIds,
    files: files.length === 0 ? undefined : files,
    previews: previews.length === 0 ? undefined : previews,
    skipEnrich: skipEnrich || undefined,
    quotedId,
    quoted,
    silent: input.silent ? true : undefined,
    unreadAfter: input.keepsUnread === true && parentId === undefined ? unreadAfter(core, cid) : undefined,
    ...(input.sendAt === undefined ? {} : { sendAt: input.sendAt }),
    placedAt: placeOf(core, cid, parentId),
  }
  const same = [text.trimEnd(), quotedId, input.uploadIds, input.files ?? []]
  // Forwarded messages and replies from notifications are deliberate, not typed in two windows.
  if (!input.again && !input.keepsDraft) core.recentSends.check(key, same, client)
  const unseen = core.draftRevisions.isUnseen(key, client, input.draftRevision)
  const only = { id: given ?? asMessageId(core.ports.ids.uuid()), before: undefined, payload }
  const sends =
    parts.length === 0 ? [only] : sendsOf(core, parts, payload, (part) => mentionsIn(core, part, payload), only.id)
  const [first = only] = sends
  core.outbox.addBatch(
    sends.map((each) => ({
      kind: 'send-message',
      id: each.id,
      cid,
      parentId,
      messageId: each.id,
      dependsOn: each.before ?? parentSend?.id,
      notBefore: input.sendAt ?? heldFor(core, input.undoForMs),
      payload: each.payload,
    })),
    (tx) => {
      for (const uploadId of input.uploadIds) uploadTable.change(tx, uploadId, { messageId: first.id })
      if (input.keepsDraft) return
      if (!unseen || drafts.byKey(tx, key)?.text.trimEnd() === text.trimEnd()) {
        emptyComposer(tx, key, core.ports.clock.now())
      }
      drafts.sent(tx, key, text)
    },
  )
  core.recentSends.note(key, same, client)
  core.runner.kick()
  return first.id
}

/** Up to when the viewer has read the channel; absent: there is nothing unread, or only this device knows of it. */
function unreadAfter(core: Pick<Core, 'context' | 'memory'>, cid: Cid): number | undefined {
  if (isReadWithoutTrace(core, cid)) return undefined
  const { unread, lastReadAt } = readState(core.context, cid)
  return unread > 0 ? (lastReadAt ?? 0) : undefined
}

/** It is queued in the outbox, or was sent. */
const isAccepted = (core: Pick<Core, 'cache' | 'outbox'>, id: MessageId): boolean =>
  core.outbox.byId(id) !== undefined || messages.byId(core.cache.reader, id) !== undefined

/** The time until which an intent can be undone. */
const heldFor = (core: Pick<Core, 'ports'>, ms: number | undefined): number | undefined =>
  ms === undefined || ms === 0 ? undefined : core.ports.clock.now() + ms

function edit(core: Parts, { messageId, text, mentionedUserIds, reach: broadcasts, keptAttachments }: EditInput): void {
  const message = known(core, messageId)
  const normalized = withUnixLines(text)
  const shown = message.attachments.map((each) => each.index)
  const remaining = keptAttachments === undefined ? shown : shown.filter((index) => keptAttachments.includes(index))
  refuse(mayEdit(normalized, maxLengthOf(core, message.cid), remaining.length + message.uploads.length > 0))
  const held = messages.byId(core.cache.reader, messageId)?.attachments.length ?? 0
  submit(core, message, {
    kind: 'edit-message',
    payload: {
      text: normalized,
      mentionedUserIds,
      ...presentBroadcasts(normalized, broadcasts),
      editedAt: core.serverNow(),
      kept: remaining.length < held ? remaining : undefined,
      skipEnrich: hasUnwantedLinks(core, message.cid, normalized) ? true : undefined,
    },
  })
}

/** A link that the user did not agree to preview: then the server must not preview it either. */
function hasUnwantedLinks({ memory }: Pick<Core, 'memory'>, cid: Cid, text: string): boolean {
  const place = { account: sidebarKey(memory.session), cid }
  return previewLinks(text).some((url) => previewDecision(url, memory.settings.linkPreviews, place) !== 'look')
}

type MessageChange =
  | { kind: 'edit-message'; payload: EditPayload }
  | { kind: 'delete-message'; payload: { deletedAt: number } }
  | { kind: 'send-reaction'; payload: IntentPayloads['send-reaction'] }
  | { kind: 'delete-reaction'; payload: { type: string } }
  | { kind: 'pin-message'; payload: IntentPayloads['pin-message'] }

type Target = { readonly id: MessageId; readonly cid: Cid; readonly parentId?: MessageId }

/** A change to a message waits for the message itself while that is unsent. */
function submit(core: Pick<Core, 'outbox' | 'runner'>, target: Target, request: MessageChange, notBefore?: number) {
  const unsent = core.outbox.about(target.id).find((intent) => intent.kind === 'send-message')
  const place = { cid: target.cid, parentId: target.parentId, messageId: target.id, dependsOn: unsent?.id, notBefore }
  const { dropped } = core.outbox.add({ ...request, ...place })
  core.runner.kick()
  return dropped
}

function known(core: Pick<Core, 'context'>, id: MessageId) {
  const message = visibleMessage(core.context, id)
  if (message === undefined || message.type === 'deleted') throw new AppError('message/gone')
  return message
}

/** A file must be completely staged: otherwise it would be lost in a crash. */
function stagedUpload(core: Pick<Core, 'context' | 'notify' | 'stores'>, id: string) {
  const upload = visibleUpload(core.context, id)
  const row = uploadTable.byId(core.stores.outbox.reader, id)
  if (upload === undefined || row === undefined) return throwUnknownUpload(core)
  if (!row.complete && row.state !== 'blocked' && row.state !== 'failed') {
    throw new AppError('composer/uploads-in-progress')
  }
  return upload
}

function quoteFrom(core: Pick<Core, 'context'>, id: MessageId): QuotedMessage | undefined {
  const message = visibleMessage(core.context, id)
  return message && quoteOf(message)
}

const maxLengthOf = (core: Pick<Core, 'cache'>, cid: Cid): number =>
  channels.byCid(core.cache.reader, cid)?.config?.maxMessageLength ?? DEFAULT_MESSAGE_LENGTH

/** A part of a long message mentions only those whom its own text names. */
const mentionsIn = (core: Pick<Core, 'cache'>, part: string, { mentionedUserIds, reach }: SendPayload) => ({
  mentionedUserIds: presentMentions(
    part,
    mentionedUserIds.map((id) => ({ id, name: users.byId(core.cache.reader, id)?.name })),
  ),
  ...presentBroadcasts(part, reach),
})

function refuse(issues: readonly Issue[]): void {
  const first = issues[0]
  if (first) throw new AppError(first.code, first.params === undefined ? {} : { params: { ...first.params } })
}

/** Attachment fields that are copied. Others (buttons, fields of other clients) belong to the original message. */
const COPIED: ReadonlySet<string> = new Set([
  'type',
  'title',
  'fallback',
  'image_url',
  'asset_url',
  'thumb_url',
  'mime_type',
  'file_size',
  'original_width',
  'original_height',
  'duration',
  'waveform_data',
])
/** More bars than are drawn; an intent is limited to 64 KB. */
const BARS = 100

/**
 * Attachments of other messages, to be sent under a new message with the same address. They are copied now, so that the
 * intent does not depend on the original message. Throws `message/gone` if one is not cached.
 */
const forwardedFiles = (core: Pick<Core, 'cache'>, refs: readonly FileRef[]): readonly ForwardedFile[] =>
  refs.map(({ messageId, index }) => {
    const row = messages.byId(core.cache.reader, messageId)?.attachments[index]
    if (row === undefined) throw new AppError('message/gone')
    return {
      kind: row.kind,
      name: row.title ?? '',
      sizeBytes: row.sizeBytes ?? 0,
      mimeType: row.mimeType ?? '',
      raw: rawOf(row),
    }
  })

function rawOf({ raw, waveform }: AttachmentRow): Custom {
  const copied = Object.entries(raw).filter(([key]) => COPIED.has(key) && key !== 'waveform_data')
  return { ...Object.fromEntries(copied), ...(waveform === undefined ? {} : { waveform_data: thinned(waveform) }) }
}

function thinned(levels: readonly number[]): readonly number[] {
  const step = Math.max(1, levels.length / BARS)
  return Array.from({ length: Math.min(BARS, levels.length) }, (_, bar) => levels[Math.floor(bar * step)] ?? 0)
}
