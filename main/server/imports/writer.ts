import { randomBytes } from 'node:crypto'
import type { ImportSource } from '#shared/domain/imports.ts'
import { MAX_MESSAGE_LENGTH } from '#shared/constants.ts'
import { cutText, isLongerThan } from '#shared/rules/messages/text.ts'
import { plainPicture, REACTION_CODES } from '#shared/rules/messages/emoji.ts'
import { channelByCid, noteMessage } from '../channels/channel-table.ts'
import {
  insertMessage,
  messageById,
  recountReplies,
  threadAuthors,
  type NewMessage,
} from '../messages/message-table.ts'
import { MAX_ATTACHMENTS } from '../messages/message-input.ts'
import { putReaction } from '../messages/reaction-table.ts'
import { MIN_FREE_BYTES } from '../store/blobs.ts'
import { SECOND, type Micros } from '../store/time.ts'
import { readThread } from '../threads/thread-table.ts'
import {
  cleanFileName,
  hidesItsSize,
  DEEP_PROBE_BYTES,
  MAX_PIXELS,
  probe,
  PROBE_BYTES,
  settleType,
} from '../uploads/file-kinds.ts'
import { fileUrl, insertUpload, type UploadRow } from '../uploads/upload-files.ts'
import { userById } from '../users/user-tables.ts'
import { transact, type Services, type Work } from '../work.ts'
import {
  replaceMentions,
  sourceKey,
  titleOf,
  type SourceFile,
  type SourceItem,
  type SourceMessage,
  type Archive,
} from './history.ts'
import {
  countImported,
  importedRow,
  messageIdOf,
  noteImported,
  type ImportFacts,
  type ImportRow,
} from './import-tables.ts'

/** Few enough that others are not kept waiting, and that a restart repeats little. */
const BATCH = 400
/** With files, which are written to disk before their messages. */
const BATCH_FILES = 20
/** In characters: one entry of an export may be large, and all that waits is in memory. */
const BATCH_WEIGHT = 8 * 1024 ** 2

const weightOf = ({ text, files = [], reactions = [] }: SourceMessage): number =>
  text.length + 200 * files.length + reactions.reduce((sum, { people }) => sum + 1 + 60 * people.length, 0)

type Prepared = {
  readonly message: SourceMessage
  readonly id: string
  readonly cid: string
  readonly uploads: readonly UploadRow[]
  readonly lost: readonly LostFile[]
}

/** A file that could not be taken over: its name stays in the text. */
type LostFile = { readonly name: string; readonly large: boolean }

type Pin = Extract<SourceItem, { kind: 'pin' }>

/** Adds the messages of an export to its channels, in batches. What is there already is passed over. */
export class ImportWriter {
  readonly #services: Services
  readonly #row: ImportRow
  readonly #archive: Archive
  readonly #emoji: EmojiNames
  /** By the ids of the export. */
  readonly #users = new Map<string, { readonly id: string; readonly name: string } | undefined>()
  readonly #cids = new Map<string, string | undefined>()
  readonly #skipped: ReadonlySet<string>
  #waiting: (SourceMessage | Pin)[] = []
  #files = 0
  #weight = 0
  /** The channel that is written to. */
  channel = ''
  readonly touched = new Set<string>()

  constructor(services: Services, row: ImportRow, archive: Archive, emoji: EmojiNames) {
    this.#services = services
    this.#row = row
    this.#archive = archive
    this.#emoji = emoji
    const { skipped } = JSON.parse(row.facts) as ImportFacts
    this.#skipped = new Set(skipped.map(({ id }) => id))
  }

  get #source(): ImportSource {
    return this.#row.source
  }

  /** Whether enough is waiting to be written. */
  take(item: SourceItem): boolean {
    if (item.kind === 'channel') this.channel = titleOf(item.channel)
    if (item.kind === 'pin') this.#waiting.push(item)
    if (item.kind === 'message') {
      this.#waiting.push(item.message)
      this.#files += item.message.files?.length ?? 0
      this.#weight += weightOf(item.message)
    }
    return this.#waiting.length >= BATCH || this.#files >= BATCH_FILES || this.#weight >= BATCH_WEIGHT
  }

  /** Writes what is waiting: its files, then everything else in one transaction. */
  async flush(): Promise<void> {
    const batch = this.#waiting
    this.#waiting = []
    this.#files = 0
    this.#weight = 0
    const prepared: Prepared[] = []
    for (const each of batch) {
      if (isPin(each)) continue
      const cid = this.#cidOf(each.channel)
      const id = messageIdOf(this.#source, each.channel, each.id)
      if (cid === undefined || importedRow(this.#services.db, id)) continue
      prepared.push({ message: each, id, cid, ...(await this.#store(each, cid)) })
    }
    transact(this.#services, (work) => {
      const added = prepared.filter((each) => this.#write(work, each))
      settleThreads(work, added)
      for (const pin of batch.filter(isPin)) this.#pin(work, pin)
      for (const cid of new Set(added.map((each) => each.cid))) settleReads(work, cid)
      const files = added.reduce((sum, { uploads }) => sum + uploads.length, 0)
      // Those that are too large were counted when the export was read.
      const lost = added.reduce((sum, each) => sum + each.lost.filter(({ large }) => !large).length, 0)
      countImported(work.db, this.#row.id, { messages: added.length, files, lost })
    })
  }

  #cidOf(channel: string): string | undefined {
    if (!this.#cids.has(channel)) {
      const { db } = this.#services
      const noted = importedRow(db, sourceKey(this.#source, 'channel', channel))
      const found = noted && !this.#skipped.has(channel) ? channelByCid(db, noted.target) : undefined
      this.#cids.set(channel, found?.deleted_at === null ? found.cid : undefined)
    }
    return this.#cids.get(channel)
  }

  #userOf(person: string): { readonly id: string; readonly name: string } | undefined {
    if (!this.#users.has(person)) {
      const { db } = this.#services
      const noted = importedRow(db, sourceKey(this.#source, 'person', person))
      const user = noted && userById(db, noted.target)
      this.#users.set(person, user && { id: user.id, name: user.name ?? user.id })
    }
    return this.#users.get(person)
  }

  /** Copies the files of a message, as many as one may have; one that is too large, empty or broken is lost. */
  async #store(message: SourceMessage, cid: string): Promise<Pick<Prepared, 'uploads' | 'lost'>> {
    const author = this.#userOf(message.author)
    if (author === undefined) return { uploads: [], lost: [] }
    const { files = [] } = message
    const uploads: UploadRow[] = []
    const lost: LostFile[] = []
    for (const file of files.slice(0, MAX_ATTACHMENTS)) {
      const row = await storeFile(this.#services, this.#archive, file, { cid, userId: author.id, at: message.at })
      if (row) uploads.push(row)
      else lost.push(this.#lost(file))
    }
    return { uploads, lost: [...lost, ...files.slice(MAX_ATTACHMENTS).map((file) => this.#lost(file))] }
  }

  #lost({ name, entry = '' }: SourceFile): LostFile {
    return { name, large: (this.#archive.entries.get(entry) ?? 0) > this.#services.uploadConfig.size_limit }
  }

  /** Returns whether it was added. */
  #write(work: Work, { message, id, cid, uploads, lost }: Prepared): boolean {
    const { db, now } = work
    const author = this.#userOf(message.author)
    if (author === undefined || importedRow(db, id) || messageById(db, id)) return false
    const parent = message.parent && this.#parentOf(work, message.parent, cid)
    const at = freeTime(work, cid, Math.min(message.at, now))
    const edited = message.editedAt === undefined ? null : Math.max(at, Math.min(message.editedAt, now))
    const { text, mentions } = this.#textOf(message, lost)
    const isShown = parent === undefined || message.broadcast === true
    const quoted = message.quoted === undefined ? undefined : messageIdOf(this.#source, message.channel, message.quoted)
    const row: NewMessage = {
      id,
      cid,
      user_id: author.id,
      type: parent === undefined ? 'regular' : 'reply',
      text,
      parent_id: parent ?? null,
      show_in_channel: Number(parent !== undefined && isShown),
      in_channel: Number(isShown),
      quoted_id: quoted !== undefined && messageById(db, quoted)?.cid === cid ? quoted : null,
      poll_id: null,
      // Counts as unread for nobody, and notifies nobody.
      silent: 1,
      shadowed: 0,
      created_at: at,
      updated_at: edited ?? at,
      text_updated_at: edited,
      deleted_at: null,
      pinned_at: message.pinned ? at : null,
      pinned_by: message.pinned ? author.id : null,
      pin_expires: null,
      reply_count: 0,
      deleted_reply_count: 0,
      attachments: JSON.stringify(uploads.map((each) => attachmentOf(work, each))),
      mentions: JSON.stringify(mentions),
      custom: '{}',
    }
    insertMessage(db, row)
    for (const upload of uploads) {
      insertUpload(db, upload)
      noteImported(db, { key: upload.id, kind: 'file', target: id, added: 1, import_id: this.#row.id })
    }
    noteImported(db, { key: id, kind: 'message', target: cid, added: 1, import_id: this.#row.id })
    if (row.in_channel) noteMessage(db, cid, at)
    this.#react(work, id, message, at)
    this.touched.add(cid)
    return true
  }

  /** The root of a thread: a message of the same channel that is no reply itself. */
  #parentOf(work: Work, parent: NonNullable<SourceMessage['parent']>, cid: string): string | undefined {
    const id = messageIdOf(this.#source, parent.channel, parent.id)
    const root = messageById(work.db, id)
    return root?.cid === cid && root.parent_id === null ? id : undefined
  }

  #textOf(
    message: SourceMessage,
    lost: readonly LostFile[],
  ): { readonly text: string; readonly mentions: readonly string[] } {
    const mentions = new Set<string>()
    const named = replaceMentions(message.text, (person) => {
      const user = this.#userOf(person)
      if (user) mentions.add(user.id)
      return `@${user?.name ?? person}`
    })
    const text = [this.#emoji.inText(named), ...lost.map(({ name }) => `📎 ${name}`)]
      .filter((part) => part !== '')
      .join('\n')
    return {
      text: isLongerThan(text, MAX_MESSAGE_LENGTH) ? cutText(text, MAX_MESSAGE_LENGTH) : text,
      mentions: [...mentions].slice(0, 100),
    }
  }

  #react(work: Work, id: string, { reactions = [] }: SourceMessage, at: Micros): void {
    let nth = 0
    for (const { emoji, people } of reactions) {
      const type = this.#emoji.reaction(emoji)
      if (type === undefined) continue
      for (const person of new Set(people)) {
        const user = this.#userOf(person)
        if (user === undefined) continue
        nth += 1
        const time = Math.min(work.now, at + nth)
        const key = { message_id: id, user_id: user.id, type }
        putReaction(work.db, { ...key, score: 1, created_at: time, updated_at: time, custom: '{}' })
      }
    }
  }

  /** Once: what somebody unpins here stays so. */
  #pin({ db, now }: Work, pin: Pin): void {
    const key = sourceKey(this.#source, 'pin', pin.channel, pin.id)
    const id = messageIdOf(this.#source, pin.channel, pin.message)
    if (importedRow(db, key) || this.#cidOf(pin.channel) === undefined || !importedRow(db, id)) return
    db.run(
      'UPDATE messages SET pinned_at = ?, pinned_by = user_id WHERE id = ? AND pinned_at IS NULL',
      Math.min(pin.at, now),
      id,
    )
    noteImported(db, { key, kind: 'pin', target: id, added: 1, import_id: this.#row.id })
  }
}

const isPin = (item: SourceMessage | Pin): item is Pin => 'kind' in item

/** Looking further would take the square of as many messages as have one time. */
const MOST_PROBES = 200

/** Messages of one channel never have the same time. */
function freeTime({ db }: Work, cid: string, wanted: Micros): Micros {
  let at = wanted
  while (db.get('SELECT 1 FROM messages WHERE cid = ? AND in_channel = 1 AND created_at = ?', cid, at)) {
    at += 1
    if (at - wanted < MOST_PROBES) continue
    at = (db.get<{ last: Micros }>(LAST_TIME, cid)?.last ?? at) + 1
    break
  }
  db.keepingCaches.run('UPDATE channels SET last_stamp = max(last_stamp, ?) WHERE cid = ?', at, cid)
  return at
}

const LAST_TIME = 'SELECT max(created_at) AS last FROM messages WHERE cid = ? AND in_channel = 1'

/** Sets what threads count, and who takes part in them: all have read all. */
function settleThreads(work: Work, added: readonly Prepared[]): void {
  const { db } = work
  const replies = added
    .flatMap(({ id }) => messageById(db, id) ?? [])
    .filter(({ parent_id: parent }) => parent !== null)
  for (const parentId of new Set(replies.flatMap(({ parent_id: parent }) => parent ?? []))) {
    const parent = recountReplies(db, parentId)
    const last = replies.findLast(({ parent_id: of }) => of === parentId)
    if (!parent || !last) continue
    for (const userId of new Set([parent.user_id, ...threadAuthors(db, parentId)])) {
      readThread(db, parent, userId, {
        at: Math.max(last.created_at, lastRead(work, parentId, userId)),
        messageId: last.id,
      })
    }
  }
}

const lastRead = ({ db }: Work, parentId: string, userId: string): number =>
  db.get<{ at: number }>(
    'SELECT last_read AS at FROM thread_participants WHERE parent_id = ? AND user_id = ?',
    parentId,
    userId,
  )?.at ?? 0

/** Members who had read everything have read what was added; others keep their place, and count none of it. */
function settleReads({ db }: Work, cid: string): void {
  db.changing('members').run(
    `UPDATE members SET last_read = max(last_read, (SELECT coalesce(max(m.created_at), 0) FROM messages m
        WHERE m.cid = members.cid AND m.in_channel = 1)),
       last_read_message_id = (SELECT m.id FROM messages m WHERE m.cid = members.cid AND m.in_channel = 1
        ORDER BY m.created_at DESC, m.id DESC LIMIT 1)
     WHERE cid = ? AND unread = 0`,
    cid,
  )
}

function attachmentOf({ localUrl }: Work, { id, name, mime_type: type, size_bytes: size, width, height }: UploadRow) {
  const url = fileUrl(localUrl(), id, name)
  const kind = /^(image|video|audio)\//.exec(type)?.[1] ?? 'file'
  const isShown = kind === 'image' && type !== 'image/svg+xml'
  return {
    type: kind === 'image' && !isShown ? 'file' : kind,
    ...(isShown ? { fallback: name, image_url: url } : { title: name, asset_url: url }),
    mime_type: type,
    file_size: size,
    ...(width === null || height === null ? {} : { original_width: width, original_height: height }),
  }
}

type Owner = { readonly cid: string; readonly userId: string; readonly at: Micros }

/** Copies an entry into the uploads. Its row is written with its message; without one it is swept away. */
async function storeFile(
  { blobs, uploadConfig, clock, log }: Services,
  archive: Archive,
  { name, entry = '' }: SourceFile,
  { cid, userId, at }: Owner,
): Promise<UploadRow | undefined> {
  const declared = archive.entries.get(entry) ?? 0
  if (declared === 0 || declared > uploadConfig.size_limit) return undefined
  if ((await blobs.free()).bytes - declared < MIN_FREE_BYTES) {
    throw Object.assign(new Error('disk full'), { code: 'ENOSPC' })
  }
  const id = randomBytes(16).toString('hex')
  const writer = await blobs.begin(id)
  let head: Buffer = Buffer.alloc(0)
  let size = 0
  try {
    for await (const part of (await archive.read(entry)) as AsyncIterable<Buffer>) {
      size += part.length
      // A folder's file may grow while it is read.
      if (size > uploadConfig.size_limit) throw new UnreadableEntry()
      if (head.length < PROBE_BYTES || (head.length < DEEP_PROBE_BYTES && hidesItsSize(head))) {
        head = Buffer.concat([head, part])
      }
      await writer.write(part)
    }
    const found = probe(head)
    const settled = settleType('application/octet-stream', found)
    const isHuge = (found?.width ?? 0) * (found?.height ?? 0) > MAX_PIXELS
    await writer.commit()
    return {
      id,
      name: cleanFileName(name),
      mime_type: 'mimeType' in settled && !isHuge ? settled.mimeType : 'application/octet-stream',
      size_bytes: size,
      user_id: userId,
      cid,
      width: isHuge ? null : (found?.width ?? null),
      height: isHuge ? null : (found?.height ?? null),
      created_at: Math.min(at, Math.round(clock.now() * 1_000) + SECOND),
    }
  } catch (error) {
    await writer.drop()
    // The entry is broken; a disk that is full is a reason to stop.
    if (isOfDisk(error)) throw error
    log.warn('entry-not-read')
    return undefined
  }
}

class UnreadableEntry extends Error {}

const OF_DISK = /^(?:ENOSPC|EDQUOT|EROFS|EIO|EMFILE|ENFILE)$/
const isOfDisk = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && OF_DISK.test(String(error.code))

/** A reaction's type has at most 30 characters. */
const LONGEST_REACTION = 30

type EmojiNames = {
  /** A text with its `:names:` as emoji; those of the workspace's own stay. */
  readonly inText: (text: string) => string
  /** The type of a reaction; `undefined` for what cannot be one. */
  readonly reaction: (emoji: string) => string | undefined
}

type CompactEmoji = { readonly hexcode: string; readonly unicode: string }

/** The names that Slack, Mattermost and GitHub have for emoji. Loaded only for an import: they are large. */
export async function loadEmojiNames(): Promise<EmojiNames> {
  const [compact, iamcal, github] = await Promise.all([
    import('emojibase-data/en/compact.json', { with: { type: 'json' } }),
    import('emojibase-data/en/shortcodes/iamcal.json', { with: { type: 'json' } }),
    import('emojibase-data/en/shortcodes/github.json', { with: { type: 'json' } }),
  ])
  const byCode = new Map(
    (compact.default as readonly CompactEmoji[]).map(({ hexcode, unicode }) => [hexcode, plainPicture(unicode)]),
  )
  const names = new Map(Object.entries(REACTION_CODES))
  for (const table of [github.default, iamcal.default] as readonly Record<string, string | readonly string[]>[]) {
    for (const [hexcode, given] of Object.entries(table)) {
      const unicode = byCode.get(hexcode)
      if (unicode === undefined) continue
      for (const name of typeof given === 'string' ? [given] : given) names.set(name, unicode)
    }
  }
  const named = (code: string): string | undefined => names.get(code.replace(/::skin-tone-\d$/, ''))
  return {
    inText: (text) =>
      text.includes(':')
        ? text.replaceAll(/:([a-z\d_+-]{1,60})(?:::skin-tone-\d)?:/g, (whole, code: string) => names.get(code) ?? whole)
        : text,
    reaction(emoji) {
      const code = /^:(.{1,80}):$/.exec(emoji)?.[1]
      const type = code === undefined ? emoji : (named(code) ?? code.toLowerCase().replaceAll(/[^a-z\d_-]/g, '_'))
      return type === '' || type.length > LONGEST_REACTION ? undefined : type
    },
  }
}
