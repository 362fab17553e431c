import { EXPORT_KIND, EXPORT_VERSION } from '#shared/domain/export.ts'
import { CSV_BOM, csvRow } from '#shared/rules/server/csv.ts'
import { pointText } from '#shared/rules/locations/locations.ts'
import { clockKey, dayKey, type Exported, type ExportWriter, iso, reactionText } from './writer.ts'

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
      return [`${JSON.stringify(head).slice(0, -1)},"channels":[`]
    },
    channel({ channel: { cid, type, name, topic }, missingBefore }) {
      const before = isFirstChannel ? '\n' : ',\n'
      isFirstChannel = false
      isFirstMessage = true
      const head = { cid, type, name, topic, missingBefore: isoOf(missingBefore) }
      return `${before}${JSON.stringify(head).slice(0, -1)},"messages":[`
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

const isoOf = (at: number | undefined): string | undefined => (at === undefined ? undefined : iso(at))

const bodyOf = ({ message, author, poll, files }: Exported) => ({
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
  poll: poll && {
    name: poll.name,
    description: poll.description === '' ? undefined : poll.description,
    closed: poll.closed || undefined,
    options: poll.options.map(({ text, votes }) => ({ text, votes })),
  },
  location: message.location && { latitude: message.location.latitude, longitude: message.location.longitude },
  attachments: someOf(files.map(attachmentOf)),
  reactions: someOf(message.reactions.map(({ type, count }) => ({ type, count }))),
})

const attachmentOf = ({ attachment, file }: Exported['files'][number]) => ({
  kind: attachment.kind,
  title: attachment.title,
  mimeType: attachment.mimeType,
  sizeBytes: attachment.sizeBytes,
  linkUrl: attachment.linkUrl,
  path: file?.path,
})

const someOf = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list)

/** One row a message, as its columns are named in the first one. Times are ISO 8601 in UTC, empty if unknown. */
const COLUMNS = {
  channel: (_exported, channel) => channel,
  at: ({ message }) => (message.timeUnsure === true ? '' : iso(message.createdAt)),
  author: ({ author }) => author,
  text: ({ message }) => message.text,
  type: ({ message }) => message.type,
  reactions: ({ message }) => message.reactions.map(({ type, count }) => `${reactionText(type)} ${count}`).join(', '),
  files: ({ files }) => files.map(nameOf).join('\n'),
  poll: ({ poll }) =>
    poll === undefined ? '' : [poll.name, ...poll.options.map(({ text, votes }) => `${text}: ${votes}`)].join('\n'),
  location: ({ message }) => (message.location === undefined ? '' : pointText(message.location)),
  editedAt: ({ message }) => isoOf(message.editedAt) ?? '',
  deletedAt: ({ message }) => isoOf(message.deletedAt) ?? '',
  pinned: ({ message }) => (message.pinned ? '1' : ''),
  id: ({ message }) => message.id,
  parentId: ({ message }) => message.parentId ?? '',
  quotedId: ({ message }) => message.quoted?.id ?? '',
  userId: ({ message }) => message.userId,
  cid: ({ message }) => message.cid,
} as const satisfies Record<string, (exported: Exported, channel: string) => string>

const nameOf = ({ attachment, file }: Exported['files'][number]): string =>
  file?.path ?? attachment.title ?? attachment.linkUrl ?? attachment.kind

export function csvWriter(): ExportWriter {
  let name = ''
  return {
    begin: () => [CSV_BOM + csvRow(Object.keys(COLUMNS))],
    channel(heading) {
      name = heading.name
      return ''
    },
    message: (exported) => csvRow(Object.values(COLUMNS).map((column) => column(exported, name))),
    endOfChannel: () => '',
    end: () => '',
  }
}

/**
 * For reading: `2026-11-22 09:05  Ola: text`, in local time. Replies are indented, attachments follow their message by
 * name, deleted messages are omitted. An unknown time is written as question marks.
 */
export function textWriter(at: number): ExportWriter {
  return {
    begin: () => [`Parlor  ${stamp(at)}\n`],
    channel: ({ channel: { name, cid, topic } }) =>
      `\n# ${[name === '' ? cid : name, topic ?? ''].filter((part) => part !== '').join('  ')}\n\n`,
    message({ message: { type, parentId, text, createdAt, timeUnsure }, author, files }) {
      if (type === 'deleted') return ''
      const indent = parentId === undefined ? '' : '    '
      const lines = text.split('\n').join(`\n${indent}    `)
      const names = files.map((each) => `${indent}    [${nameOf(each)}]\n`)
      return `${indent}${timeUnsure === true ? UNKNOWN : stamp(createdAt)}  ${author}: ${lines}\n${names.join('')}`
    },
    endOfChannel: () => '',
    end: () => '',
  }
}

/** Replaces an unknown time, with the same width. */
const UNKNOWN = '????-??-?? ??:??'

const stamp = (at: number): string => `${dayKey(at)} ${clockKey(at)}`
