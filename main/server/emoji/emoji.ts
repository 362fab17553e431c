import * as v from 'valibot'
import {
  createEmoji,
  deleteEmoji,
  listEmoji,
  updateEmoji,
  type WireEmoji,
  type EmojiCapability,
  type WireEmojiTerms,
} from '#shared/wire/emoji.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { idText, list, text } from '../http/shapes.ts'
import { removeUpload, uploadById, type UploadRow, type FileUrls, fileIdIn } from '../uploads/upload-files.ts'
import { requireUser } from '../users/users.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import { EMOJI_ALIASES, EMOJI_BYTES, MAX_EMOJI, EMOJI_SIDE, EMOJI_TYPES } from '#shared/domain/emoji.ts'
import { emojiNameFault, type EmojiNameFault } from '#shared/rules/messages/emoji.ts'
import type { Identity } from '../http/auth/identify.ts'
import type { Db } from '../store/db.ts'
import { isAdmin } from '../moderation/moderation.ts'
import { plainType } from '../uploads/file-kinds.ts'

type EmojiRow = {
  readonly name: string
  /** A list as JSON. */
  readonly aliases: string
  readonly upload_id: string
  readonly created_by: string | null
  readonly created_at: number
  readonly updated_at: number
}

/** An emoji with the file details of its picture. */
type ShownEmoji = EmojiRow & {
  readonly file_name: string
  readonly mime_type: string
  readonly width: number
  readonly height: number
}

const SHOWN = `SELECT e.*, u.name AS file_name, u.mime_type, u.width, u.height
  FROM custom_emoji e JOIN uploads u ON u.id = e.upload_id`

export const EMOJI_LIST = `${SHOWN} ORDER BY e.name`
export const EMOJI_OF_UPLOAD = 'SELECT name FROM custom_emoji WHERE upload_id = ?'

/** All of them by name: there are few. */
const allEmoji = (db: Db): ShownEmoji[] => db.all<ShownEmoji>(EMOJI_LIST)

const emojiByName = (db: Db, name: string): ShownEmoji | undefined =>
  db.get<ShownEmoji>(`${SHOWN} WHERE e.name = ?`, name)

export const emojiOfUpload = (db: Db, uploadId: string): string | undefined =>
  db.get<{ name: string }>(EMOJI_OF_UPLOAD, uploadId)?.name

/** The number of emoji, and the time of the last change. */
const emojiState = (db: Db): { readonly count: number; readonly newest: number } =>
  db.get<{ count: number; newest: number }>(
    'SELECT count(*) AS count, coalesce(max(updated_at), 0) AS newest FROM custom_emoji',
  ) ?? { count: 0, newest: 0 }

export function insertEmoji(db: Db, row: EmojiRow): void {
  db.run(
    `INSERT INTO custom_emoji (name, aliases, upload_id, created_by, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)`,
    row.name,
    row.aliases,
    row.upload_id,
    row.created_by,
    row.created_at,
    row.updated_at,
  )
}

function changeEmoji(db: Db, before: string, row: Pick<EmojiRow, 'name' | 'aliases' | 'updated_at'>): void {
  db.run(
    'UPDATE custom_emoji SET name = ?, aliases = ?, updated_at = ? WHERE name = ?',
    row.name,
    row.aliases,
    row.updated_at,
    before,
  )
}

function deleteEmojiRow(db: Db, name: string): void {
  db.run('DELETE FROM custom_emoji WHERE name = ?', name)
}

/** Custom emoji: rights, names and pictures. See docs/adr/0019. */

/** Every user with their own account. */
const mayCreate = (who: Identity): boolean =>
  who.server || (who.userId !== '' && who.role !== 'guest' && who.role !== 'anonymous' && !who.banned)

/** The rights and limits that the app's settings report. */
export function emojiTerms(db: Db, who: Identity): WireEmojiTerms {
  const can: EmojiCapability[] = [
    ...(mayCreate(who) ? (['create-emoji'] as const) : []),
    ...(isAdmin(who) && !who.banned ? (['manage-emoji'] as const) : []),
  ]
  return {
    own_capabilities: can,
    version: emojiVersion(db),
    size_limit: EMOJI_BYTES,
    side_limit: EMOJI_SIDE,
    count_limit: MAX_EMOJI,
  }
}

function emojiVersion(db: Db): string {
  const { count, newest } = emojiState(db)
  return `${count}.${newest}`
}

/** Refuses a user without the right to add one, or when there are too many. */
function needCreate(db: Db, who: Identity): void {
  if (!mayCreate(who)) refuse('notAllowed', `User '${who.userId}' may not add emoji`)
  if (emojiState(db).count >= MAX_EMOJI) {
    refuse('input', `a workspace has at most ${MAX_EMOJI} emoji`, { emoji: 'count_limit' })
  }
}

/** Refuses a user who neither added it nor administers the app. */
function needChange(row: Pick<EmojiRow, 'created_by'>, who: Identity): void {
  const isOwn = row.created_by !== null && row.created_by === who.userId && mayCreate(who)
  if (isOwn || (isAdmin(who) && !who.banned)) return
  refuse('notAllowed', 'only the person who added an emoji, and administrators, may change it')
}

const FAULTS: Readonly<Record<EmojiNameFault, string>> = {
  form: 'is no name: 2 to 30 of a-z, 0-9, "_" and "-"',
  reserved: 'is a reaction that has its meaning already',
  taken: 'is taken',
}

/**
 * Refuses invalid names. Returns the aliases to store: each once, and never the name itself.
 *
 * @param own the emoji that is being changed: its own names are not taken
 */
function checkedNames(db: Db, name: string, aliases: readonly string[], own?: string): readonly string[] {
  const taken = new Set(allEmoji(db).flatMap((row) => (row.name === own ? [] : [row.name, ...aliasesOf(row)])))
  const unique = [...new Set(aliases)].filter((alias) => alias !== name)
  for (const [field, each] of [['name', name] as const, ...unique.map((alias) => ['aliases', alias] as const)]) {
    const fault = emojiNameFault(each, taken)
    if (fault) refuse('input', `'${each.slice(0, 100)}' ${FAULTS[fault]}`, { [field]: fault })
  }
  if (unique.length > EMOJI_ALIASES) {
    refuse('input', `an emoji has at most ${EMOJI_ALIASES} aliases`, { aliases: 'count_limit' })
  }
  return unique
}

const aliasesOf = (row: Pick<EmojiRow, 'aliases'>): readonly string[] => JSON.parse(row.aliases) as string[]

/**
 * The upload for an emoji's picture: the user's own, not of a channel, and small. Its type was detected from its bytes
 * at upload.
 */
function pictureFor(db: Db, url: string, ownerId: string): UploadRow {
  const id = fileIdIn(url)
  const row = id === undefined ? undefined : uploadById(db, id)
  const wrong = (fault: string, reason: string): never => refuse('input', reason, { url: fault })
  if (!row || row.user_id !== ownerId || row.cid !== null) return wrong('unknown', 'the picture is no own upload')
  if (!EMOJI_TYPES.some((type) => type === plainType(row.mime_type)))
    return wrong('type', 'the picture is of another type')
  if (row.size_bytes > EMOJI_BYTES) return wrong('size_limit', `the picture is larger than ${EMOJI_BYTES} bytes`)
  if (Math.max(row.width ?? Infinity, row.height ?? Infinity) > EMOJI_SIDE) {
    return wrong('side_limit', `the picture is larger than ${EMOJI_SIDE} pixels`)
  }
  if (emojiOfUpload(db, row.id) !== undefined) return wrong('taken', 'the picture is an emoji already')
  return row
}

/** Longer than a name may be, so that an invalid one is refused by the rule for names. */
const names = { name: text(100), aliases: list(v.pipe(v.string(), v.maxLength(100)), 100) }
const newBody = v.looseObject({ ...names, url: text(2_048), user_id: idText() })
const changeBody = v.looseObject(names)

/** Custom emoji of the workspace, an extension of the contract. See docs/adr/0019. */
export const emojiRoutes: readonly Route[] = [
  route(listEmoji, {}, (_ask, work) => ({
    emoji: allEmoji(work.db).map((row) => encodeEmoji(row, work.fileUrls)),
    version: emojiVersion(work.db),
  })),
  route(createEmoji, { body: newBody }, ({ body, who }, work) => {
    needCreate(work.db, who)
    const owner = who.userId || (who.server ? body.user_id : undefined) || ''
    requireUser(work.db, owner)
    const name = body.name ?? ''
    const aliases = checkedNames(work.db, name, body.aliases ?? [])
    insertEmoji(work.db, {
      name,
      aliases: JSON.stringify(aliases),
      upload_id: pictureFor(work.db, body.url ?? '', owner).id,
      created_by: owner,
      created_at: work.now,
      updated_at: work.now,
    })
    return { emoji: announce(work, known(work, name), 'emoji.created') }
  }),
  route(updateEmoji, { body: changeBody }, ({ params, body, who }, work) => {
    const row = known(work, params.name)
    needChange(row, who)
    const name = body.name || row.name
    const former = name === row.name ? [] : [row.name]
    const aliases = checkedNames(work.db, name, [...(body.aliases ?? aliasesOf(row)), ...former], row.name)
    changeEmoji(work.db, row.name, { name, aliases: JSON.stringify(aliases), updated_at: work.now })
    return { emoji: announce(work, known(work, name), 'emoji.updated', row.name) }
  }),
  route(deleteEmoji, {}, ({ params, who }, work) => {
    const row = known(work, params.name)
    needChange(row, who)
    announce(work, row, 'emoji.deleted')
    deleteEmojiRow(work.db, row.name)
    removeUpload(work, row.upload_id)
    return {}
  }),
]

const known = (work: Work, name: string): ShownEmoji =>
  emojiByName(work.db, name) ?? refuse('doesNotExist', `emoji '${name.slice(0, 100)}' does not exist`)

/** Sent to all connections. */
function announce(work: Work, row: ShownEmoji, type: string, before?: string): WireEmoji {
  const emoji = encodeEmoji(row, work.fileUrls)
  const former = before === undefined || before === row.name ? {} : { former_name: before }
  work.emit({ event: { type, created_at: toText(work.now), emoji, ...former }, to: { kind: 'all' } })
  return emoji
}

/** Source: ADR 19. */
function encodeEmoji(row: ShownEmoji, urls: Pick<FileUrls, 'signed'>): WireEmoji {
  return {
    name: row.name,
    aliases: JSON.parse(row.aliases) as string[],
    url: urls.signed(row.upload_id, row.file_name),
    mime_type: row.mime_type,
    width: row.width,
    height: row.height,
    created_by: row.created_by ?? undefined,
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}
