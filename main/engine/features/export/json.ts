import type { Message } from '#shared/domain/message.ts'
import { EXPORT_KIND, EXPORT_VERSION } from '#shared/domain/export.ts'
import type { Exported, ExportWriter } from './pieces.ts'

/**
 * `{kind, version, exportedAt, viewer, channels: [{cid, type, name, topic, messages: [...]}]}`. Times are ISO 8601 in UTC;
 * absent fields are omitted.
 */
export function jsonWriter(viewer: string, at: number): ExportWriter {
  let isFirstChannel = true
  let isFirstMessage = true
  return {
    begin() {
      const head = { kind: EXPORT_KIND, version: EXPORT_VERSION, exportedAt: iso(at), viewer }
      return `${JSON.stringify(head).slice(0, -1)},"channels":[`
    },
    channel({ cid, type, name, topic }) {
      const before = isFirstChannel ? '\n' : ',\n'
      isFirstChannel = false
      isFirstMessage = true
      return `${before}${JSON.stringify({ cid, type, name, topic }).slice(0, -1)},"messages":[`
    },
    message(exported) {
      const before = isFirstMessage ? '\n  ' : ',\n  '
      isFirstMessage = false
      return before + JSON.stringify(bodyOf(exported))
    },
    endOfChannel: () => ']}',
    end: () => ']}\n',
  }
}

const iso = (at: number): string => new Date(at).toISOString()
const isoOf = (at: number | undefined): string | undefined => (at === undefined ? undefined : iso(at))

const bodyOf = ({ message, author }: Exported) => ({
  id: message.id,
  at: message.timeUnsure === true ? undefined : iso(message.createdAt),
  userId: message.userId,
  author,
  ...(message.type === 'regular' ? {} : { type: message.type }),
  text: message.text,
  parentId: message.parentId,
  quotedId: message.quoted?.id,
  editedAt: isoOf(message.editedAt),
  deletedAt: isoOf(message.deletedAt),
  pinned: message.pinned || undefined,
  pollId: message.pollId,
  location: message.location && { latitude: message.location.latitude, longitude: message.location.longitude },
  attachments: someOf(message.attachments.map(attachmentOf)),
  reactions: someOf(message.reactions.map(({ type, count }) => ({ type, count }))),
})

const attachmentOf = ({ kind, title, mimeType, sizeBytes, linkUrl }: Message['attachments'][number]) => ({
  kind,
  title,
  mimeType,
  sizeBytes,
  linkUrl,
})

const someOf = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list)
