import { MAX_MESSAGE_LENGTH } from '#shared/constants.ts'
import {
  fieldsOf,
  left,
  listOf,
  mention,
  NotAnExport,
  objectsIn,
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

/** JSON files of DiscordChatExporter, one for each channel or thread. Parts of a large channel are files of their own. */
export const readDiscord: Reader = async function* (archive) {
  const files = [...archive.entries.keys()].filter((name) => name.endsWith('.json') && !name.includes('.json_Files/'))
  const heads: { readonly name: string; readonly head: Head }[] = []
  for (const name of files.toSorted(byPart)) {
    const head = await readHead(archive, name)
    if (head !== undefined) heads.push({ name, head })
  }
  if (heads.length === 0) throw new NotAnExport({ reason: 'not-one', missing: '"guild", "channel", "messages"' })
  const channels = new Map(heads.map(({ head }) => [head.id, head]))
  const told = new Set<string>()
  const people = new Set<string>()
  // A thread comes after the channel that has its first message.
  const inOrder = heads.toSorted((a, b) => Number(a.head.thread !== undefined) - Number(b.head.thread !== undefined))
  for (const { name, head } of inOrder) {
    const parent = head.thread === undefined ? undefined : channels.get(head.thread)
    if (!told.has(head.id) && parent === undefined) {
      told.add(head.id)
      yield channelItem(head)
    }
    const context: Context = { archive, folder: name.slice(0, name.lastIndexOf('/') + 1), head, parent, people }
    yield* readFile(archive, name, context)
  }
  const foreign = files.length - heads.length
  if (foreign > 0) yield left('unknown', foreign)
}

/** `name [part 2].json` after `name.json`. */
const byPart = (a: string, b: string): number => partOf(a) - partOf(b) || (a < b ? -1 : 1)
const partOf = (name: string): number => Number(/\[part (\d{1,6})\]\.json$/.exec(name)?.[1] ?? 1)

type Head = {
  readonly id: string
  readonly name: string
  readonly kind: 'public' | 'direct'
  readonly topic?: string
  /** The id of the channel of a thread. */
  readonly thread?: string
}

const isMessage = (path: readonly string[]): boolean => path.length === 2 && path[0] === 'messages'

/** The fields before the messages; `undefined` for another kind of file. */
async function readHead(archive: Archive, name: string): Promise<Head | undefined> {
  const found = new Map<string, string>()
  const stream = await archive.read(name)
  let isExport = false
  try {
    for await (const { path, value } of jsonParts(stream, isMessage)) {
      if (path[0] === 'messages') {
        isExport = true
        break
      }
      const text = textOf(value)
      if (path.length === 2 && text !== undefined && found.size < 100) found.set(path.join('.'), text)
      if (path[0] === 'messageCount') isExport = true
    }
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error
  } finally {
    stream.destroy()
  }
  const id = found.get('channel.id')
  if (!isExport || id === undefined) return undefined
  const type = found.get('channel.type') ?? ''
  const category = found.get('channel.categoryId')
  const topic = found.get('channel.topic')
  return {
    id,
    name: withoutMarks(found.get('channel.name') ?? id),
    kind: type.startsWith('Direct') ? 'direct' : 'public',
    ...(topic ? { topic: withoutMarks(topic) } : {}),
    ...(type.endsWith('Thread') && category !== undefined ? { thread: category } : {}),
  }
}

const channelItem = (head: Head): SourceItem => {
  const { id, name, kind, topic } = head
  return { kind: 'channel', channel: { id, name, kind, members: [], ...(topic ? { topic } : {}) } }
}

type Context = {
  readonly archive: Archive
  readonly folder: string
  readonly head: Head
  /** The channel of the thread that this file is. */
  readonly parent: Head | undefined
  readonly people: Set<string>
}

async function* readFile(archive: Archive, name: string, context: Context): AsyncGenerator<SourceItem> {
  try {
    for await (const part of jsonParts(await archive.read(name), isMessage)) yield* partItems(part, context)
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error
    yield left('broken')
  }
}

/** Kinds of messages that people write; all others are of Discord. */
const WRITTEN: ReadonlySet<string> = new Set(['Default', 'Reply', '0', '19', 'ThreadStarterMessage', '21'])

function* partItems({ path, value }: JsonPart, context: Context): Generator<SourceItem> {
  if (!isMessage(path)) return
  const fields = fieldsOf(value)
  const id = textOf(fields?.['id'])
  const at = timeOf(fields?.['timestamp'])
  const author = fieldsOf(fields?.['author'])
  const authorId = textOf(author?.['id'])
  if (fields === undefined || id === undefined || at === undefined || authorId === undefined)
    return yield left('broken')
  const type = textOf(fields['type']) ?? 'Default'
  if (!WRITTEN.has(type)) return yield left('system')
  const mentions = objectsIn(fields['mentions'])
  for (const each of [author, ...mentions]) if (each) yield* personOnce(each, context.people)
  const { files, missing } = filesOf(fields, context)
  if (missing.length > 0) yield left('missing-files', missing.length)
  const { reactions, unnamed } = reactionsOf(fields)
  if (unnamed > 0) yield left('unnamed-reactions', unnamed)
  const isApp = author?.['isBot'] === true
  if (isApp) yield left('app-messages')
  if (listOf(fields['stickers']).length > 0 || fields['poll'] !== undefined) {
    yield left(fields['poll'] === undefined ? 'unknown' : 'polls')
  }
  const text = [
    discordMarkdown(textOf(fields['content']) ?? '', mentions),
    ...(isApp ? embedTexts(fields) : []),
    ...missing.map((name) => `📎 ${name}`),
  ].filter((part) => part !== '')
  if (text.length === 0 && files.length === 0) return yield left('unknown')
  yield {
    kind: 'message',
    message: messageOf(fields, { id, at, author: authorId, text: text.join('\n'), files, reactions }, context),
  }
}

type Written = Pick<SourceMessage, 'id' | 'at' | 'author' | 'text' | 'files' | 'reactions'>

function messageOf(fields: Fields, written: Written, { head, parent }: Context): SourceMessage {
  const edited = timeOf(fields['timestampEdited'])
  const quoted = textOf(fieldsOf(fields['reference'])?.['messageId'])
  return {
    ...written,
    channel: parent?.id ?? head.id,
    ...(edited === undefined || edited <= written.at ? {} : { editedAt: edited }),
    ...(fields['isPinned'] === true ? { pinned: true } : {}),
    // A thread has the id of the message that it was started from.
    ...(parent === undefined ? {} : { parent: { channel: parent.id, id: head.id } }),
    ...(quoted === undefined ? {} : { quoted }),
  }
}

function* personOnce(fields: Fields, people: Set<string>): Generator<SourceItem> {
  const id = textOf(fields['id'])
  if (id === undefined || people.has(id)) return
  people.add(id)
  const name = textOf(fields['nickname']) || textOf(fields['name']) || id
  yield {
    kind: 'person',
    person: {
      id,
      name: withoutMarks(name),
      ...(fields['isBot'] === true ? { bot: true } : {}),
      ...(/^deleted user/i.test(textOf(fields['name']) ?? '') ? { former: true } : {}),
    },
  }
}

function filesOf(fields: Fields, { archive, folder }: Context) {
  const files: SourceFile[] = []
  const missing: string[] = []
  for (const each of listOf(fields['attachments'])) {
    const attachment = fieldsOf(each) ?? {}
    const name = withoutMarks(textOf(attachment['fileName']) || 'file')
    const entry = localEntry(archive, folder, textOf(attachment['url']) ?? '')
    if (entry === undefined) missing.push(name)
    else files.push({ name, entry })
  }
  return { files, missing }
}

/** With "download media" the address is a path next to the file, sometimes percent-encoded and with backslashes. */
function localEntry(archive: Archive, folder: string, url: string): string | undefined {
  if (url === '' || /^[a-z]+:\/\//i.test(url)) return undefined
  const path = url.replaceAll('\\', '/').replace(/^\.\//, '')
  return [path, decodedPath(path)].map((each) => folder + each).find((name) => archive.entries.has(name))
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function reactionsOf(fields: Fields) {
  let unnamed = 0
  const reactions = listOf(fields['reactions']).flatMap((each) => {
    const reaction = fieldsOf(each) ?? {}
    const emoji = fieldsOf(reaction['emoji']) ?? {}
    const people = listOf(reaction['users']).flatMap((one) => textOf(fieldsOf(one)?.['id']) ?? [])
    const count = typeof reaction['count'] === 'number' ? Math.min(reaction['count'], 1e6) : people.length
    unnamed += Math.max(0, count - people.length)
    const name = textOf(emoji['name']) ?? ''
    if (name === '') return []
    // Emoji of Discord have an id, those of everyone are their own name.
    return [{ emoji: textOf(emoji['id']) ? `:${name.toLowerCase()}:` : name, people }]
  })
  return { reactions, unnamed }
}

function embedTexts(fields: Fields): string[] {
  return listOf(fields['embeds']).flatMap((each) => {
    const embed = fieldsOf(each) ?? {}
    return [embed['title'], embed['description']].flatMap((part) => {
      const text = textOf(part)
      return text ? [withoutMarks(text)] : []
    })
  })
}

function timeOf(value: unknown): number | undefined {
  const text = textOf(value)
  const at = Date.parse(text ?? '')
  if (Number.isNaN(at) || at <= 0) return undefined
  const micros = /\.\d{3}(\d{1,3})/.exec(text ?? '')?.[1] ?? ''
  return at * 1_000 + Number(micros.padEnd(3, '0'))
}

/** The exporter writes people as `@name` and leaves what it does not know as `<@id>`; the rest is Markdown. */
function discordMarkdown(text: string, mentions: readonly Fields[]): string {
  let shown = withoutMarks(text.slice(0, 4 * MAX_MESSAGE_LENGTH))
    .replaceAll(/<@!?(\d{5,25})>/g, (_whole, id: string) => mention(id))
    .replaceAll(/<a?:(\w{2,32}):\d{5,25}>/g, (_whole, name: string) => `:${name.toLowerCase()}:`)
    .replaceAll(/<(https?:\/\/[^\s<>]+)>/g, '$1')
  for (const each of mentions.slice(0, 100)) {
    const id = textOf(each['id'])
    if (id === undefined) continue
    for (const name of [textOf(each['nickname']), textOf(each['name'])]) {
      if (name) shown = shown.replaceAll(`@${name}`, mention(id))
    }
  }
  return shown
}
