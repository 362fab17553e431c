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
import { BrokenJson, jsonParts } from './json-parts.ts'

/** Lists are kept while the export is read. */
const MOST_LIST_BYTES = 128 * 1024 ** 2
const MOST_ITEMS = 500_000

/** Lists of channels that an export may have, by file. */
const LISTS = [
  ['channels.json', 'public'],
  ['groups.json', 'private'],
  ['mpims.json', 'direct'],
  ['dms.json', 'direct'],
] as const

/** What Slack itself writes into channels. */
const SYSTEM =
  /^(?:channel_|group_|pinned_item|unpinned_item|bot_add|bot_remove|reminder_add|huddle_thread|tombstone|sh_room)/

type Names = { readonly channels: ReadonlyMap<string, string> }

/** A workspace export of Slack: lists of people and channels, and one file for each day of a channel. */
export const readSlack: Reader = async function* (archive) {
  const root = rootOf(archive)
  const lists = await Promise.all(
    LISTS.map(async ([file, kind]) => ({ kind, channels: await list(archive, root + file) })),
  )
  const people = await list(archive, `${root}users.json`)
  const known = new Set(people.map((person) => textOf(person['id'])))
  const titles = new Map<string, string>()
  for (const person of people) {
    const item = personOf(person)
    if (item?.kind === 'person') titles.set(item.person.id, item.person.name)
    yield item ?? left('broken')
  }
  const channels = lists.flatMap(({ kind, channels: all }) => all.map((fields) => ({ kind, fields })))
  const names = new Map(channels.map(({ fields }) => [textOf(fields['id']) ?? '', textOf(fields['name']) ?? '']))
  const folders = daysOf(archive, root)
  for (const { kind, fields } of channels) {
    const id = textOf(fields['id'])
    if (id === undefined) {
      yield left('broken')
      continue
    }
    const folder = textOf(fields['name']) ?? id
    const members = listOf(fields['members']).flatMap((each) => textOf(each) ?? [])
    const name = kind === 'direct' ? members.map((member) => titles.get(member) ?? member).join(', ') || folder : folder
    const topic = textOf(fieldsOf(fields['topic'])?.['value'])
    yield { kind: 'channel', channel: { id, name, kind, members, ...(topic ? { topic: decoded(topic) } : {}) } }
    const pins = new Set(listOf(fields['pins']).flatMap((pin) => textOf(fieldsOf(pin)?.['id']) ?? []))
    // Conversations of two have no name: their folder has the id.
    for (const day of folders.get(kind === 'direct' && !folders.has(folder) ? id : folder) ?? []) {
      yield* readDay(archive, day, { id, pins, names: { channels: names }, known })
    }
  }
}

/** The folder in which `channels.json` is: some tools put everything into one. */
function rootOf(archive: Archive): string {
  const found = [...archive.entries.keys()].find((name) => /^(?:[^/]+\/)?channels\.json$/.test(name))
  if (found === undefined) throw new NotAnExport({ reason: 'not-one', missing: 'channels.json' })
  return found.slice(0, -'channels.json'.length)
}

async function list(archive: Archive, name: string): Promise<readonly Fields[]> {
  if (!archive.entries.has(name)) return []
  if ((archive.entries.get(name) ?? 0) > MOST_LIST_BYTES) throw new NotAnExport({ reason: 'bomb' })
  const found: Fields[] = []
  try {
    for await (const value of itemsOf(archive, name)) {
      const fields = fieldsOf(value)
      if (fields !== undefined) found.push(fields)
    }
  } catch (error) {
    throw error instanceof BrokenJson ? new NotAnExport({ reason: 'damaged', missing: name }) : error
  }
  return found
}

/** The items of a file that is a list, one by one: all at once may be more than memory holds. */
async function* itemsOf(archive: Archive, name: string): AsyncGenerator<unknown> {
  let count = 0
  for await (const { path, value } of jsonParts(await archive.read(name), isItem)) {
    if (!isItem(path)) throw new BrokenJson()
    count += 1
    if (count > MOST_ITEMS) throw new NotAnExport({ reason: 'bomb' })
    yield value
  }
}

const isItem = (path: readonly string[]): boolean => path.length === 1 && path[0] === '*'

function daysOf(archive: Archive, root: string): ReadonlyMap<string, readonly string[]> {
  const days = new Map<string, string[]>()
  for (const name of archive.entries.keys()) {
    const match = name.startsWith(root) ? /^([^/]+)\/\d{4}-\d\d-\d\d\.json$/.exec(name.slice(root.length)) : null
    if (!match?.[1]) continue
    const known = days.get(match[1])
    if (known) known.push(name)
    else days.set(match[1], [name])
  }
  for (const each of days.values()) each.sort()
  return days
}

function personOf(fields: Fields): SourceItem | undefined {
  const id = textOf(fields['id'])
  if (id === undefined) return undefined
  const profile = fieldsOf(fields['profile']) ?? {}
  const name =
    textOf(profile['real_name']) ||
    textOf(fields['real_name']) ||
    textOf(profile['display_name']) ||
    textOf(fields['name'])
  const email = textOf(profile['email'])
  return {
    kind: 'person',
    person: {
      id,
      name: decoded(name ?? id),
      ...(email === undefined ? {} : { email }),
      ...(fields['is_bot'] === true ? { bot: true } : {}),
      ...(fields['deleted'] === true ? { former: true } : {}),
    },
  }
}

type Day = {
  readonly id: string
  readonly pins: ReadonlySet<string>
  readonly names: Names
  readonly known: ReadonlySet<string | undefined>
}

async function* readDay(archive: Archive, name: string, day: Day): AsyncGenerator<SourceItem> {
  try {
    for await (const each of itemsOf(archive, name)) {
      const fields = fieldsOf(each)
      if (fields === undefined) yield left('broken')
      else yield* messageItems(archive, fields, day)
    }
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error
    yield left('broken')
  }
}

function* messageItems(archive: Archive, fields: Fields, day: Day): Generator<SourceItem> {
  const ts = textOf(fields['ts'])
  const at = microsOf(ts)
  if (ts === undefined || at === undefined) return yield left('broken')
  const type = textOf(fields['type'])
  if (type !== undefined && type !== 'message') return yield left('unknown')
  const subtype = textOf(fields['subtype']) ?? ''
  if (SYSTEM.test(subtype)) return yield left('system')
  const isApp = subtype === 'bot_message' || textOf(fields['bot_id']) !== undefined
  const { files, missing, canvases } = filesOf(archive, fields)
  if (canvases > 0) yield left('canvases', canvases)
  if (isApp) yield left('app-messages')
  const app = fieldsOf(fields['bot_profile'])?.['name'] ?? fields['username']
  const user = textOf(fields['user']) ?? textOf(fieldsOf(fields['comment'])?.['user'])
  const author = user ?? `app:${textOf(fields['bot_id']) ?? textOf(app) ?? 'app'}`
  const profile = fieldsOf(fields['user_profile'])
  const authorName = textOf(profile?.['real_name']) ?? textOf(app)
  const parent = textOf(fields['thread_ts'])
  const isReply = parent !== undefined && parent !== ts
  const edited = microsOf(textOf(fieldsOf(fields['edited'])?.['ts']))
  const text = [bodyOf(fields, isApp, day.names), ...missing.map((each) => `📎 ${each}`)].filter((part) => part !== '')
  const message: SourceMessage = {
    id: ts,
    channel: day.id,
    author,
    ...(authorName === undefined || day.known.has(author) ? {} : { authorName: decoded(authorName) }),
    at,
    text: text.join('\n'),
    ...(edited === undefined ? {} : { editedAt: edited }),
    ...(isReply ? { parent: { channel: day.id, id: parent } } : {}),
    ...(subtype === 'thread_broadcast' ? { broadcast: true } : {}),
    ...(day.pins.has(ts) ? { pinned: true } : {}),
    files,
    reactions: listOf(fields['reactions']).flatMap(reactionOf),
  }
  if (message.text === '' && files.length === 0) return yield left(canvases > 0 ? 'system' : 'unknown')
  if (missing.length > 0) yield left('missing-files', missing.length)
  yield { kind: 'message', message }
}

function reactionOf(value: unknown) {
  const fields = fieldsOf(value)
  const emoji = textOf(fields?.['name'])
  if (fields === undefined || emoji === undefined) return []
  return [{ emoji: `:${emoji}:`, people: listOf(fields['users']).flatMap((each) => textOf(each) ?? []) }]
}

/** Exports of Slack name files and do not have them; some tools put them into `__uploads` or next to the days. */
function filesOf(archive: Archive, fields: Fields) {
  const files: SourceFile[] = []
  const missing: string[] = []
  let canvases = 0
  for (const each of listOf(fields['files'])) {
    const file = fieldsOf(each) ?? {}
    const id = textOf(file['id']) ?? ''
    const name = withoutMarks(textOf(file['name']) ?? textOf(file['title']) ?? '')
    if (['canvas', 'quip', 'list'].includes(textOf(file['filetype']) ?? '')) {
      canvases += 1
      continue
    }
    const entry = id === '' ? undefined : entryOf(archive, id)
    if (entry !== undefined) files.push({ name: name || id, entry })
    else missing.push(name || id || 'file')
  }
  return { files, missing, canvases }
}

const indexes = new WeakMap<Archive, ReadonlyMap<string, string>>()

function entryOf(archive: Archive, id: string): string | undefined {
  const known = indexes.get(archive)
  if (known) return known.get(id)
  const index = new Map<string, string>()
  for (const name of archive.entries.keys()) {
    const found = /(?:^|\/)(?:__uploads\/([A-Z\d]{6,20})\/[^/]+|attachments\/([A-Z\d]{6,20})-[^/]+)$/.exec(name)
    const key = found?.[1] ?? found?.[2]
    if (key !== undefined) index.set(key, name)
  }
  indexes.set(archive, index)
  return index.get(id)
}

/** Apps write into attachments, where people write into the text. */
function bodyOf(fields: Fields, isApp: boolean, names: Names): string {
  const own = textOf(fields['text']) ?? ''
  if (own !== '' || !isApp) return slackMarkdown(own, names)
  const parts = listOf(fields['attachments']).flatMap((each) => {
    const attachment = fieldsOf(each) ?? {}
    const text = [attachment['pretext'], attachment['title'], attachment['text']].flatMap((part) => textOf(part) || [])
    return text.length > 0 ? text : (textOf(attachment['fallback']) ?? [])
  })
  return slackMarkdown(parts.join('\n'), names)
}

/** `1700000000.123456`: exact to the microsecond. */
function microsOf(ts: string | undefined): number | undefined {
  const match = /^(\d{1,11})(?:\.(\d{1,6}))?$/.exec(ts ?? '')
  if (!match) return undefined
  const at = Number(match[1]) * 1_000_000 + Number((match[2] ?? '').padEnd(6, '0'))
  return Number.isSafeInteger(at) ? at : undefined
}

const decoded = (text: string): string => unescaped(withoutMarks(text))

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** The markup of Slack as Markdown. What is between backquotes stays. */
export function slackMarkdown(text: string, names: Names): string {
  return withoutMarks(text)
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? code(part) : prose(part, names)))
    .join('')
}

function code(part: string): string {
  const plain = decoded(part.replaceAll(/<([^<>|]+)\|([^<>]*)>/g, '$2').replaceAll(/<(https?:[^<>]+)>/g, '$1'))
  return part.startsWith('```') ? `\`\`\`\n${plain.slice(3, -3).replace(/^\n|\n$/g, '')}\n\`\`\`` : plain
}

function prose(part: string, names: Names): string {
  const linked = part.replaceAll(/<([^<>]{1,5000})>/g, (_whole, inner: string) => reference(inner, names))
  return unescaped(
    linked
      .replaceAll(/(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])/g, '**$1**')
      .replaceAll(/(?<![\w~])~(?=\S)([^~\n]+?)(?<=\S)~(?![\w~])/g, '~~$1~~')
      .replaceAll(/^• /gm, '- '),
  )
}

/** `<@U1>`, `<#C1|name>`, `<!here>`, `<url|text>`. */
function reference(inner: string, names: Names): string {
  const bar = inner.indexOf('|')
  const target = bar < 0 ? inner : inner.slice(0, bar)
  const label = bar < 0 ? undefined : inner.slice(bar + 1)
  if (target.startsWith('@')) return mention(target.slice(1))
  if (target.startsWith('#')) return `#${label || (names.channels.get(target.slice(1)) ?? target.slice(1))}`
  if (target.startsWith('!subteam')) return label ?? '@group'
  if (target.startsWith('!date')) return label ?? ''
  if (target.startsWith('!')) return `@${label?.replace(/^@/, '') ?? target.slice(1)}`
  if (label === undefined || label === target) return target.replace(/^mailto:/, '')
  return `[${label.replaceAll(/[[\]]/g, '')}](${target.replaceAll(/[\s()]/g, encodeURIComponent)})`
}
