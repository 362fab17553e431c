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
  type SourceItem,
  type SourceMessage,
  type Archive,
} from './history.ts'
import { jsonLines } from './json-parts.ts'

/** A bulk export of Mattermost: lines of JSON, alone or in an archive with the files in `data`. */
export const readMattermost: Reader = async function* (archive) {
  const lines = [...archive.entries.keys()].find(
    (name) => /\.(?:jsonl|json|ndjson)$/i.test(name) && !name.includes('data/'),
  )
  if (lines === undefined) throw new NotAnExport({ reason: 'not-one', missing: '*.jsonl' })
  const state: State = { archive, seen: new Map(), channels: new Set(), names: new Set() }
  let first = true
  for await (const value of jsonLines(await archive.read(lines))) {
    const line = fieldsOf(value)
    // The first line of every export names its version.
    if (first && textOf(line?.['type']) === undefined)
      throw new NotAnExport({ reason: 'not-one', missing: '"type":"version"' })
    first = false
    yield* line === undefined ? [left('broken')] : itemsOf(line, state)
  }
  if (first) throw new NotAnExport({ reason: 'not-one', missing: '"type":"version"' })
}

type State = {
  readonly archive: Archive
  /** How many messages of one author and time there were: Mattermost exports no ids. */
  readonly seen: Map<string, number>
  readonly channels: Set<string>
  /** Names of people, for mentions. */
  readonly names: Set<string>
}

function* itemsOf(line: Fields, state: State): Generator<SourceItem> {
  const type = textOf(line['type']) ?? ''
  const body = fieldsOf(line[type]) ?? {}
  switch (type) {
    case 'version':
    case 'team':
    case 'scheme':
    case 'role':
    case 'emoji':
      return
    case 'user':
      return yield personOf(body, state)
    case 'channel':
      return yield* channelOf(body, state)
    case 'direct_channel':
      return yield* directOf(listOf(body['members']), state)
    case 'post':
      return yield* posts(body, channelKey(body), state)
    case 'direct_post': {
      const members = listOf(body['channel_members'])
      yield* directOf(members, state)
      return yield* posts(body, directKey(members), state)
    }
    default:
      yield left('unknown')
  }
}

const channelKey = (body: Fields): string => `${textOf(body['team']) ?? ''}/${textOf(body['channel']) ?? ''}`
const directKey = (members: readonly unknown[]): string =>
  `@${members
    .flatMap((each) => textOf(each) ?? textOf(fieldsOf(each)?.['username']) ?? [])
    .toSorted()
    .join(',')}`

function personOf(body: Fields, state: State): SourceItem {
  const id = textOf(body['username'])
  if (id === undefined) return left('broken')
  state.names.add(id)
  const full = [textOf(body['first_name']), textOf(body['last_name'])].filter(Boolean).join(' ')
  const email = textOf(body['email'])
  return {
    kind: 'person',
    person: {
      id,
      name: withoutMarks(full || textOf(body['nickname']) || id),
      ...(email === undefined ? {} : { email }),
      ...(typeof body['delete_at'] === 'number' && body['delete_at'] > 0 ? { former: true } : {}),
      ...(body['is_bot'] === true ? { bot: true } : {}),
    },
  }
}

function* channelOf(body: Fields, state: State): Generator<SourceItem> {
  const name = textOf(body['name'])
  if (name === undefined) return yield left('broken')
  const id = `${textOf(body['team']) ?? ''}/${name}`
  if (state.channels.has(id)) return
  state.channels.add(id)
  const topic = textOf(body['header']) || textOf(body['purpose'])
  const kind = textOf(body['type']) === 'P' ? 'private' : 'public'
  const shown = withoutMarks(textOf(body['display_name']) || name)
  yield {
    kind: 'channel',
    channel: { id, name: shown, kind, members: [], ...(topic ? { topic: withoutMarks(topic) } : {}) },
  }
}

function* directOf(members: readonly unknown[], state: State): Generator<SourceItem> {
  const names = members.flatMap((each) => textOf(each) ?? textOf(fieldsOf(each)?.['username']) ?? [])
  const id = directKey(members)
  if (names.length === 0) return yield left('broken')
  if (state.channels.has(id)) return
  state.channels.add(id)
  yield { kind: 'channel', channel: { id, name: names.join(', '), kind: 'direct', members: names } }
}

function* posts(body: Fields, channel: string, state: State): Generator<SourceItem> {
  const root = yield* post(body, channel, undefined, state)
  if (root === undefined) return
  for (const each of listOf(body['replies'])) {
    const reply = fieldsOf(each)
    if (reply === undefined) yield left('broken')
    else yield* post(reply, channel, root, state)
  }
}

/** Returns the id of the message. */
function* post(
  body: Fields,
  channel: string,
  root: string | undefined,
  state: State,
): Generator<SourceItem, string | undefined> {
  const author = textOf(body['user'])
  const createdMs = body['create_at']
  if (
    author === undefined ||
    typeof createdMs !== 'number' ||
    !Number.isSafeInteger(createdMs * 1_000) ||
    createdMs <= 0
  ) {
    yield left('broken')
    return undefined
  }
  const type = textOf(body['type']) ?? ''
  if (type.startsWith('system_')) {
    yield left('system')
    return undefined
  }
  const base = `${root ?? ''}/${author}/${createdMs}`
  const key = `${channel} ${base}`
  const nth = state.seen.get(key) ?? 0
  state.seen.set(key, nth + 1)
  const id = nth === 0 ? base : `${base}/${nth}`
  const isApp = textOf(fieldsOf(body['props'])?.['from_webhook']) === 'true'
  if (isApp) yield left('app-messages')
  const { files, missing } = filesOf(body, state.archive)
  if (missing.length > 0) yield left('missing-files', missing.length)
  const editedMs = body['edit_at']
  const text = [textIn(textOf(body['message']) ?? '', state.names), ...missing.map((name) => `📎 ${name}`)]
  const message: SourceMessage = {
    id,
    channel,
    author,
    at: createdMs * 1_000,
    text: text.filter((part) => part !== '').join('\n'),
    ...(typeof editedMs === 'number' && editedMs > createdMs ? { editedAt: editedMs * 1_000 } : {}),
    ...(root === undefined ? {} : { parent: { channel, id: root } }),
    ...(body['is_pinned'] === true ? { pinned: true } : {}),
    files,
    reactions: reactionsOf(body),
  }
  if (message.text === '' && files.length === 0) {
    yield left('unknown')
    return undefined
  }
  yield { kind: 'message', message }
  return id
}

function filesOf(body: Fields, archive: Archive) {
  const paths = listOf(body['attachments']).flatMap((each) => textOf(fieldsOf(each)?.['path']) ?? [])
  const found = paths.map((path) => {
    const clean = path.replace(/^\.?\//, '')
    const entry = [`data/${clean}`, clean].find((name) => archive.entries.has(name))
    return { name: withoutMarks(clean.split('/').at(-1) ?? 'file'), entry }
  })
  return {
    files: found.flatMap(({ name, entry }) => (entry === undefined ? [] : [{ name, entry }])),
    missing: found.flatMap(({ name, entry }) => (entry === undefined ? [name] : [])),
  }
}

function reactionsOf(body: Fields) {
  const people = new Map<string, string[]>()
  for (const each of listOf(body['reactions'])) {
    const [name, user] = [textOf(fieldsOf(each)?.['emoji_name']), textOf(fieldsOf(each)?.['user'])]
    if (name === undefined || user === undefined) continue
    const others = people.get(name)
    if (others) others.push(user)
    else people.set(name, [user])
  }
  return [...people].map(([name, users]) => ({ emoji: `:${name}:`, people: users }))
}

/** Mattermost writes Markdown; only people are named in another way. */
const textIn = (text: string, names: ReadonlySet<string>): string =>
  withoutMarks(text).replaceAll(/(?<![\w@.])@([a-z\d][\w.-]{0,63})/gi, (whole, name: string) => {
    const bare = withoutStops(name)
    return names.has(bare) ? mention(bare) + name.slice(bare.length) : whole
  })

/** A name at the end of a sentence. A loop, since a regular expression would backtrack from each stop. */
function withoutStops(name: string): string {
  let end = name.length
  while (end > 0 && '.-'.includes(name[end - 1] ?? '')) end -= 1
  return name.slice(0, end)
}
