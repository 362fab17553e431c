import {
  type ChannelTarget,
  type CheckedChannel,
  type CheckedPerson,
  type ImportCheck,
  type ImportFigures,
  type ImportSource,
  type LeftKind,
  type PersonTarget,
  MOST_SHOWN,
} from '#shared/domain/imports.ts'
import { MAX_MESSAGE_LENGTH } from '#shared/constants.ts'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { isLongerThan } from '#shared/rules/messages/text.ts'
import { channelByCid } from '../channels/channel-table.ts'
import type { Db } from '../store/db.ts'
import { MS, type Micros } from '../store/time.ts'
import { userById } from '../users/user-tables.ts'
import {
  mentionsIn,
  NotAnExport,
  sourceKey,
  type SourceChannel,
  type SourceItem,
  type SourceMessage,
  type SourcePerson,
  type Archive,
} from './history.ts'
import { importedRow, messageIdOf } from './import-tables.ts'

type SurveyedPerson = SourcePerson & { messages: number; readonly described: boolean }

/** Apps and those who had left come only where something is by them or names them. */
const comes = ({ id, messages, bot, former }: SurveyedPerson, named: ReadonlySet<string>): boolean =>
  messages > 0 || named.has(id) || !(bot || former)
export type SurveyedChannel = SourceChannel & {
  messages: number
  known: number
  /** The time of its first message. */
  first: Micros
  readonly authors: Set<string>
}

/** What a row and its words take on the disk. */
const BYTES_PER_MESSAGE = 1_500

/** People and channels are kept in memory while an export is read: more than any company has. */
const MOST_NAMES = 500_000

/** Reads through an export and counts; writes nothing. What it found is what the import then works from. */
export class Survey {
  readonly people = new Map<string, SurveyedPerson>()
  readonly channels = new Map<string, SurveyedChannel>()
  readonly left = new Map<LeftKind, number>()
  readonly #source: ImportSource
  readonly #db: Db
  readonly #now: Micros
  readonly #archive: Archive
  readonly #mostFileBytes: number
  /** Of each message a part of its id: enough to tell them apart, at a tenth of the memory. */
  readonly #seen = new Set<number>()
  /** Whom texts mention, and who reacted. */
  readonly #named = new Set<string>()
  readonly #figures = { messages: 0, known: 0, files: 0, fileBytes: 0, replies: 0, edits: 0, reactions: 0, pins: 0 }
  /** Of the files of messages that are not here yet. */
  #newFileBytes = 0
  #from = Number.MAX_SAFE_INTEGER
  #until = 0

  constructor(options: {
    readonly source: ImportSource
    readonly db: Db
    readonly now: Micros
    readonly archive: Archive
    readonly mostFileBytes: number
  }) {
    this.#source = options.source
    this.#db = options.db
    this.#now = options.now
    this.#archive = options.archive
    this.#mostFileBytes = options.mostFileBytes
  }

  get messages(): number {
    return this.#figures.messages
  }

  take(item: SourceItem): void {
    switch (item.kind) {
      case 'person':
        this.#person(item.person, true)
        break
      case 'channel':
        if (!this.channels.has(item.channel.id)) {
          this.channels.set(item.channel.id, {
            ...item.channel,
            messages: 0,
            known: 0,
            first: this.#now,
            authors: new Set(),
          })
        }
        break
      case 'message':
        this.#message(item.message)
        break
      case 'pin':
        if (this.#seen.has(shortOf(messageIdOf(this.#source, item.channel, item.message)))) this.#figures.pins += 1
        break
      case 'left':
        this.#leave(item.what, item.count)
    }
    if (this.people.size + this.channels.size + this.#named.size > MOST_NAMES) throw new NotAnExport({ reason: 'bomb' })
  }

  #leave(what: LeftKind, count = 1): void {
    this.left.set(what, (this.left.get(what) ?? 0) + count)
  }

  #person(person: SourcePerson, described: boolean): void {
    const before = this.people.get(person.id)
    if (before?.described) return
    this.people.set(person.id, { ...person, messages: before?.messages ?? 0, described })
  }

  #message(message: SourceMessage): void {
    const channel = this.channels.get(message.channel)
    if (!channel) return this.#leave('broken')
    const id = messageIdOf(this.#source, message.channel, message.id)
    if (this.#seen.has(shortOf(id))) return
    this.#seen.add(shortOf(id))
    if (!this.people.has(message.author)) {
      const name = message.authorName ?? 'Unknown'
      this.#person({ id: message.author, name, former: true, bot: message.author.startsWith('app:') }, false)
      if (!message.author.startsWith('app:')) this.#leave('unknown-people')
    }
    const person = this.people.get(message.author)
    if (person) person.messages += 1
    channel.authors.add(message.author)
    channel.messages += 1
    channel.first = Math.min(channel.first, message.at)
    this.#figures.messages += 1
    const isKnown = importedRow(this.#db, id) !== undefined
    if (isKnown) {
      this.#figures.known += 1
      channel.known += 1
    }
    this.#count(message, isKnown)
  }

  #count(message: SourceMessage, isKnown: boolean): void {
    const figures = this.#figures
    const at = Math.min(message.at, this.#now)
    this.#from = Math.min(this.#from, at)
    this.#until = Math.max(this.#until, at)
    if (message.at > this.#now) this.#leave('future-times')
    if (isLongerThan(message.text, MAX_MESSAGE_LENGTH)) this.#leave('long-texts')
    if (message.parent) {
      if (this.#seen.has(shortOf(messageIdOf(this.#source, message.parent.channel, message.parent.id))))
        figures.replies += 1
      else this.#leave('orphans')
    }
    if (message.editedAt !== undefined) figures.edits += 1
    if (message.pinned) figures.pins += 1
    for (const { people } of message.reactions ?? []) {
      figures.reactions += people.length
      for (const person of people) this.#named.add(person)
    }
    for (const person of mentionsIn(message.text)) this.#named.add(person)
    for (const { entry = '' } of message.files ?? []) {
      const size = this.#archive.entries.get(entry) ?? 0
      if (size > this.#mostFileBytes) this.#leave('large-files')
      else {
        figures.files += 1
        figures.fileBytes += size
        if (!isKnown) this.#newFileBytes += size
      }
    }
  }

  figures(): ImportFigures {
    const people = [...this.people.values()].filter((person) => comes(person, this.#named))
    return {
      ...this.#figures,
      channels: this.channels.size,
      people: people.length,
      ...(this.#figures.messages === 0
        ? {}
        : { from: Math.floor(this.#from / MS), until: Math.floor(this.#until / MS) }),
    }
  }

  /** With whom and what is here already. */
  check(freeBytes: number): ImportCheck {
    const figures = this.figures()
    const people = this.checkedPeople()
    const channels = this.checkedChannels()
    return {
      figures,
      left: Object.fromEntries(this.left),
      people: people.toSorted(byNeedOfCheck).slice(0, MOST_SHOWN),
      channels: channels.toSorted((a, b) => b.messages - a.messages).slice(0, MOST_SHOWN),
      here: hereToChoose(this.#db),
      neededBytes: this.#newFileBytes + (figures.messages - figures.known) * BYTES_PER_MESSAGE,
      freeBytes,
    }
  }

  checkedPeople(): readonly CheckedPerson[] {
    const here = whoIsHere(this.#db)
    return [...this.people.values()]
      .filter((person) => comes(person, this.#named))
      .map(({ id, name, email, messages, former = false, bot = false }) => {
        const earlier = importedRow(this.#db, sourceKey(this.#source, 'person', id))?.target
        const known = earlier !== undefined && userById(this.#db, earlier) ? earlier : undefined
        const byEmail = email === undefined ? undefined : here.emails.get(email.trim().toLowerCase())
        const byName = here.names.get(name)
        const found = known ?? byEmail ?? (bot ? undefined : byName)
        const by = known !== undefined ? 'earlier' : byEmail !== undefined ? 'email' : 'name'
        const target: PersonTarget =
          found === undefined ? (former || bot ? 'former' : 'new') : { userId: asUserId(found) }
        return { id, name, messages, former: former && !bot, target, ...(found === undefined ? {} : { by }) }
      })
  }

  checkedChannels(): readonly CheckedChannel[] {
    const names = channelsHere(this.#db)
    return [...this.channels.values()].map(({ id, name, kind, messages, known: added }) => {
      const earlier = importedRow(this.#db, sourceKey(this.#source, 'channel', id))?.target
      const known = earlier !== undefined && channelByCid(this.#db, earlier)?.deleted_at === null ? earlier : undefined
      const found = known ?? (kind === 'public' ? names.get(name) : undefined)
      const target: ChannelTarget = found === undefined ? 'new' : { cid: asCid(found) }
      return { id, name, kind, messages, known: added, target }
    })
  }
}

/** Collisions of twelve digits are rarer than broken disks. */
const shortOf = (id: string): number => Number.parseInt(id.slice('import-'.length, 'import-'.length + 12), 16)

/** Those who are easily mistaken for somebody come first, then those who have written most. */
const byNeedOfCheck = (a: CheckedPerson, b: CheckedPerson): number =>
  NEED_OF_CHECK[a.by ?? 'none'] - NEED_OF_CHECK[b.by ?? 'none'] || b.messages - a.messages

const NEED_OF_CHECK = { name: 0, email: 1, none: 2, earlier: 3 } as const

/** Only names and addresses that one person alone has are matched. */
function whoIsHere(db: Db): { emails: ReadonlyMap<string, string>; names: ReadonlyMap<string, string> } {
  const rows = db.all<{ id: string; name: string | null; email: string | null }>(
    `SELECT id, name, json_extract(custom, '$.email') AS email FROM users
     WHERE deleted_at IS NULL AND role NOT IN ('guest', 'anonymous')`,
  )
  const emails = new Map<string, string | undefined>()
  const names = new Map<string, string | undefined>()
  for (const { id, name, email } of rows) {
    if (typeof email === 'string') addOnce(emails, email.trim().toLowerCase(), id)
    if (name !== null) addOnce(names, name, id)
  }
  return { emails: ofOne(emails), names: ofOne(names) }
}

/** What a second one has too is nobody's. */
const addOnce = (ids: Map<string, string | undefined>, key: string, id: string): void =>
  void ids.set(key, ids.has(key) ? undefined : id)

const ofOne = (ids: ReadonlyMap<string, string | undefined>): ReadonlyMap<string, string> =>
  new Map([...ids].flatMap(([key, id]) => (id === undefined ? [] : [[key, id] as const])))

function hereToChoose(db: Db): ImportCheck['here'] {
  const people = db.all<{ id: string; name: string | null }>(
    `SELECT id, name FROM users WHERE deleted_at IS NULL AND role NOT IN ('guest', 'anonymous')
     ORDER BY name, id LIMIT ?`,
    MOST_SHOWN,
  )
  const channels = db.all<{ cid: string; name: string }>(
    `SELECT cid, name FROM channels WHERE deleted_at IS NULL AND type = 'team' AND name IS NOT NULL
     ORDER BY name, cid LIMIT ?`,
    MOST_SHOWN,
  )
  return {
    people: people.map(({ id, name }) => ({ userId: asUserId(id), name: name ?? id })),
    channels: channels.map(({ cid, name }) => ({ cid: asCid(cid), name })),
  }
}

function channelsHere(db: Db): ReadonlyMap<string, string> {
  const rows = db.all<{ cid: string; name: string | null }>(
    `SELECT cid, name FROM channels WHERE deleted_at IS NULL AND type = 'team' AND private = 0`,
  )
  return new Map(rows.flatMap(({ cid, name }) => (name === null ? [] : [[name, cid]])))
}
