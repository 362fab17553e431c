import * as v from 'valibot'
import { MAX_MESSAGE_LENGTH } from '#shared/constants.ts'
import { MAX_BODY_BYTES, type Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { customOf, flag, idText, list, read, text, time } from '../http/shapes.ts'
import type { Identity } from '../http/auth/identify.ts'
import { storedUrls } from '../uploads/upload-files.ts'
import type { Work } from '../work.ts'

/** Longest JSON of one message's attachments. */
const MAX_ATTACHMENT_BYTES = 256 * 1024
export const MAX_ATTACHMENTS = 30
const MAX_MENTIONS = 100
/** The most groups, roles or readers that one message names. */
const MAX_ROLES = 10

const mention = v.union([
  v.pipe(v.string(), v.maxLength(255)),
  v.pipe(
    v.looseObject({ id: v.string() }),
    v.transform((user) => user.id),
  ),
])

const fields = {
  id: idText(),
  // As long as a body can be: the limit of the channel refuses a longer text with its own code.
  text: text(MAX_BODY_BYTES),
  attachments: list(v.record(v.string(), v.unknown()), MAX_ATTACHMENTS),
  parent_id: idText(),
  show_in_channel: flag,
  quoted_message_id: idText(),
  mentioned_users: list(mention, MAX_MENTIONS),
  silent: flag,
  pinned: flag,
  pinned_at: time,
  pin_expires: time,
  mml: text(4 * MAX_MESSAGE_LENGTH),
  html: text(4 * MAX_MESSAGE_LENGTH),
  poll_id: idText(),
  type: idText(50),
  mentioned_channel: flag,
  mentioned_here: flag,
  mentioned_roles: list(v.pipe(v.string(), v.maxLength(255)), MAX_ROLES),
  mentioned_group_ids: list(v.pipe(v.string(), v.maxLength(255)), MAX_ROLES),
  restricted_visibility: list(v.pipe(v.string(), v.maxLength(255)), MAX_ROLES),
  shared_location: v.optional(
    v.looseObject({
      latitude: v.pipe(v.number(), v.minValue(-90), v.maxValue(90)),
      longitude: v.pipe(v.number(), v.minValue(-180), v.maxValue(180)),
      created_by_device_id: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
      end_at: time,
    }),
  ),
}

/** Keys of MESSAGE INPUT that are columns, or that only the server sets. Everything else is custom. */
const KNOWN: ReadonlySet<string> = new Set([
  ...Object.keys(fields),
  'cid',
  'html',
  'mml',
  'user',
  'user_id',
  'member',
  'channel',
  'created_at',
  'updated_at',
  'deleted_at',
  'deleted_for_me',
  'message_text_updated_at',
  'reply_count',
  'deleted_reply_count',
  'thread_participants',
  'latest_reactions',
  'own_reactions',
  'reaction_groups',
  'reaction_counts',
  'reaction_scores',
  'quoted_message',
  'poll',
  'reminder',
  'draft',
  'pinned_at',
  'pinned_by',
  'shadowed',
  'command',
  'args',
  'command_info',
  'i18n',
  'moderation',
  'moderation_details',
  'mentioned_channel',
  'mentioned_here',
  'mentioned_roles',
  'mentioned_group_ids',
  'mentioned_groups',
  'restricted_visibility',
  'shared_location',
  'image_labels',
  'before_message_send_failed',
  'status',
  'error',
])

/** The fields a client may set on a message, validated. See docs/wire.md 3.3 "MESSAGE INPUT". */
export const messageInput = v.optional(
  v.pipe(
    v.looseObject(fields),
    v.transform((input) => {
      const draft = Object.fromEntries(Object.entries(input).filter(([key]) => Object.hasOwn(fields, key)))
      if (JSON.stringify(input.attachments ?? []).length > MAX_ATTACHMENT_BYTES) {
        refuse('payloadTooBig', 'the attachments are too big')
      }
      return { ...(draft as Fields), custom: customOf(input, KNOWN) }
    }),
  ),
)

const isNotEmpty = ({ custom, ...rest }: MessageDraft): boolean =>
  [...Object.values(custom), ...Object.values(rest)].some((value) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined,
  )

/** A message that accompanies another change: an empty one counts as absent. */
export const accompanyingMessage = v.optional(
  v.pipe(
    messageInput.wrapped,
    v.transform((message) => (isNotEmpty(message) ? message : undefined)),
  ),
)

type Fields = v.InferOutput<v.ObjectSchema<typeof fields, undefined>>

export type MessageDraft = Fields & { readonly custom: Json }

export const readMessage = (input: unknown): MessageDraft => requireMessage(read(messageInput, input))

/** The message of a call that requires one. */
export const requireMessage = (message: MessageDraft | undefined): MessageDraft =>
  message ?? refuse('input', 'message is required', { message: 'required' })

/** The attachments in their stored form, if any. */
export function storedAttachments(
  work: Pick<Work, 'db'>,
  who: Identity,
  { attachments }: Pick<MessageDraft, 'attachments'>,
): { attachments?: readonly Json[] } {
  if (!attachments) return {}
  return { attachments: JSON.parse(storedUrls(work.db, who, JSON.stringify(attachments))) as Json[] }
}

/** True for a key that a partial update may store in `custom`. */
export function isCustomKey(key: string): boolean {
  return !KNOWN.has(key) && key !== '__proto__'
}
