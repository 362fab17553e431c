import {
  fieldsOf,
  left,
  listOf,
  mention,
  NotAnExport,
  textOf,
  withoutMarks,
  type Fields,
  type Reader,
  type SourceFile,
  type SourceItem,
  type SourceMessage,
  type Archive,
} from './history.ts'
import { BrokenJson, jsonParts, type JsonPart } from './json-parts.ts'

/** A JSON export of Telegram: `result.json` of one chat or of all, with its files in folders beside it. */
export const readTelegram: Reader = async function* (archive) {
  const result =
    [...archive.entries.keys()].find((name) => /^(?:[^/]+\/)*result\.json$/.test(name)) ?? onlyJson(archive)
  if (result === undefined) throw new NotAnExport({ reason: 'not-one', missing: 'result.json' })
  const chats = new Chats(archive, result.slice(0, result.lastIndexOf('/') + 1))
  try {
    for await (const part of jsonParts(await archive.read(result), isMessage)) yield* chats.take(part)
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error
    if (!chats.isExport) throw new NotAnExport({ reason: 'not-one', missing: '"messages"' })
    yield left('broken')
  }
  if (!chats.isExport) throw new NotAnExport({ reason: 'not-one', missing: '"messages"' })
}

/** A single chat may have been renamed. */
function onlyJson(archive: Archive): string | undefined {
  const all = [...archive.entries.keys()].filter((name) => name.endsWith('.json'))
  return all.length === 1 ? all[0] : undefined
}

const isMessage = (path: readonly string[]): boolean =>
  path.length >= 2 && path.at(-1) === '*' && path.at(-2) === 'messages'

type Chat = { id?: string; name?: string; type?: string; isTold: boolean }

const DIRECT: ReadonlySet<string> = new Set(['personal_chat', 'bot_chat', 'saved_messages'])

/** What stands before the messages of a chat tells which one it is. */
class Chats {
  readonly #archive: Archive
  readonly #folder: string
  readonly #people = new Set<string>()
  #chat: Chat = { isTold: false }
  isExport = false

  constructor(archive: Archive, folder: string) {
    this.#archive = archive
    this.#folder = folder
  }

  *take({ path, value }: JsonPart): Generator<SourceItem> {
    if (isMessage(path)) {
      this.isExport = true
      yield* this.#message(value)
      return
    }
    const isChat = path.length === 1 || (path.length === 4 && path[1] === 'list')
    const key = path.at(-1)
    if (!isChat || (key !== 'name' && key !== 'type' && key !== 'id')) return
    // The first field of the next chat.
    if (this.#chat.isTold) this.#chat = { isTold: false }
    this.#chat[key] = textOf(value) ?? ''
  }

  *#message(value: unknown): Generator<SourceItem> {
    const chat = this.#chat
    const fields = fieldsOf(value)
    const id = textOf(fields?.['id'])
    const at = secondsOf(fields, 'date')
    const channel = chat.id ?? 'chat'
    if (!chat.isTold) {
      chat.isTold = true
      const kind = DIRECT.has(chat.type ?? '') ? 'direct' : chat.type?.startsWith('public_') ? 'public' : 'private'
      yield {
        kind: 'channel',
        channel: { id: channel, name: withoutMarks(chat.name || 'Telegram'), kind, members: [] },
      }
    }
    if (fields === undefined || id === undefined || at === undefined) return yield left('broken')
    const type = textOf(fields['type'])
    if (type === 'service') return yield this.#service(fields, channel, id, at)
    if (type !== 'message') return yield left('unknown')
    if (fields['poll'] !== undefined) yield left('polls')
    const author = textOf(fields['from_id']) ?? textOf(fields['actor_id']) ?? `name:${textOf(fields['from']) ?? ''}`
    if (!this.#people.has(author)) {
      this.#people.add(author)
      const name = textOf(fields['from'])
      yield {
        kind: 'person',
        person: { id: author, name: withoutMarks(name || 'Deleted Account'), ...(name ? {} : { former: true }) },
      }
    }
    yield* this.#written(fields, { id, channel, author, at })
  }

  #service(fields: Fields, channel: string, id: string, at: number): SourceItem {
    const message = textOf(fields['message_id'])
    if (fields['action'] === 'pin_message' && message !== undefined) return { kind: 'pin', id, channel, message, at }
    return left('system')
  }

  *#written(fields: Fields, head: Pick<SourceMessage, 'id' | 'channel' | 'author' | 'at'>): Generator<SourceItem> {
    const { files, missing } = this.#files(fields)
    const edited = secondsOf(fields, 'edited')
    const forwarded = textOf(fields['forwarded_from'])
    const quoted = textOf(fields['reply_to_message_id'])
    const body = markdownOf(listOf(fields['text_entities']).length > 0 ? fields['text_entities'] : fields['text'])
    const poll = fieldsOf(fields['poll'])
    const text = [
      forwarded ? `> ${withoutMarks(forwarded)}:` : '',
      poll ? pollText(poll) : '',
      placeText(fields),
      textOf(fields['sticker_emoji']) ?? '',
      body,
      ...missing.map((name) => `📎 ${name}`),
    ].filter((part) => part !== '')
    if (missing.length > 0) yield left('missing-files', missing.length)
    if (text.length === 0 && files.length === 0) return yield left('unknown')
    const { reactions, unnamed } = reactionsOf(fields)
    if (unnamed > 0) yield left('unnamed-reactions', unnamed)
    yield {
      kind: 'message',
      message: {
        ...head,
        text: text.join('\n'),
        ...(edited === undefined || edited <= head.at ? {} : { editedAt: edited }),
        ...(quoted === undefined ? {} : { quoted }),
        files,
        reactions,
      },
    }
  }

  #files(fields: Fields) {
    const files: SourceFile[] = []
    const missing: string[] = []
    for (const key of ['photo', 'file'] as const) {
      const path = textOf(fields[key])
      if (path === undefined) continue
      const given = textOf(fields['file_name'])
      const entry = this.#folder + path.replace(/^\.?\//, '')
      const isThere = this.#archive.entries.has(entry)
      if (isThere) files.push({ name: withoutMarks(given ?? path.split('/').at(-1) ?? 'file'), entry })
      // Instead of a path it says why: "(File not included. …)".
      else missing.push(withoutMarks(given ?? (path.startsWith('(') ? key : (path.split('/').at(-1) ?? key))))
    }
    return { files, missing }
  }
}

/** `date_unixtime` is exact; `date` is the local time of whoever exported it. */
function secondsOf(fields: Fields | undefined, key: string): number | undefined {
  const unix = Number(textOf(fields?.[`${key}_unixtime`]) ?? Number.NaN)
  if (Number.isSafeInteger(unix) && unix > 0 && unix < 1e11) return unix * 1_000_000
  const local = Date.parse(textOf(fields?.[key]) ?? '')
  return Number.isNaN(local) || local <= 0 ? undefined : local * 1_000
}

function pollText(poll: Fields): string {
  const answers = listOf(poll['answers']).flatMap((each) => textOf(fieldsOf(each)?.['text']) ?? [])
  const lines = [`**${textOf(poll['question']) ?? ''}**`, ...answers.map((answer) => `- ${answer}`)]
  return withoutMarks(lines.join('\n'))
}

function placeText(fields: Fields): string {
  const place = fieldsOf(fields['location_information'])
  const [latitude, longitude] = [place?.['latitude'], place?.['longitude']]
  return typeof latitude === 'number' && typeof longitude === 'number' ? `📍 ${latitude}, ${longitude}` : ''
}

function reactionsOf(fields: Fields) {
  let unnamed = 0
  const reactions = listOf(fields['reactions']).flatMap((each) => {
    const reaction = fieldsOf(each) ?? {}
    const emoji = textOf(reaction['emoji'])
    const people = listOf(reaction['recent']).flatMap((one) => textOf(fieldsOf(one)?.['from_id']) ?? [])
    const count = typeof reaction['count'] === 'number' ? reaction['count'] : people.length
    if (emoji === undefined) {
      unnamed += Math.max(0, Math.min(count, 1e6))
      return []
    }
    unnamed += Math.max(0, Math.min(count, 1e6) - people.length)
    return [{ emoji, people }]
  })
  return { reactions, unnamed }
}

/** Texts of Telegram are a text, or a list of texts and entities. */
export function markdownOf(value: unknown): string {
  if (typeof value === 'string') return withoutMarks(value)
  return listOf(value)
    .map((part) => (typeof part === 'string' ? withoutMarks(part) : entity(fieldsOf(part) ?? {})))
    .join('')
}

const AROUND: Readonly<Record<string, string>> = { bold: '**', italic: '_', strikethrough: '~~', spoiler: '||' }

function entity(fields: Fields): string {
  const text = withoutMarks(textOf(fields['text']) ?? '')
  const type = textOf(fields['type']) ?? 'plain'
  const mark = AROUND[type]
  if (mark !== undefined) return wrapped(text, mark)
  switch (type) {
    case 'code':
      return `\`${text.replaceAll('`', "'")}\``
    case 'pre':
      return `\`\`\`${(textOf(fields['language']) ?? '').replaceAll(/[^\w+-]/g, '')}\n${text}\n\`\`\``
    case 'text_link': {
      const url = textOf(fields['href']) ?? ''
      return /^https?:\/\/[^\s()]+$/.test(url) ? `[${text.replaceAll(/[[\]]/g, '')}](${url})` : text
    }
    case 'mention_name': {
      const id = textOf(fields['user_id'])
      return id === undefined ? text : mention(id.startsWith('user') ? id : `user${id}`)
    }
    case 'blockquote':
      return text
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n')
    default:
      return text
  }
}

/** Marks stand directly at the text: spaces at the ends stay outside. */
function wrapped(text: string, mark: string): string {
  const inner = text.trim()
  if (inner === '' || inner.includes('\n')) return text
  const from = text.indexOf(inner)
  return text.slice(0, from) + mark + inner + mark + text.slice(from + inner.length)
}
