import type { EmojiCapability, WireEmojiTerms } from '#shared/wire/emoji.ts'
import { EMOJI_ALIASES, EMOJI_BYTES, MAX_EMOJI, EMOJI_SIDE, EMOJI_TYPES } from '#shared/domain/emoji.ts'
import { emojiNameFault, type EmojiNameFault } from '#shared/rules/messages/emoji.ts'
import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import type { Db } from '../store/db.ts'
import { allEmoji, emojiOfUpload, emojiState, type EmojiRow } from './emoji-table.ts'
import { uploadById, type UploadRow } from '../uploads/upload-table.ts'
import { fileIdIn } from '../uploads/file-url.ts'
import { isAdmin } from '../moderation/moderation.ts'
import { plainType } from '../uploads/file-kinds.ts'

/** Custom emoji: rights, names and pictures. See docs/adr/0019. */

/** Every user with an account of their own. */
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

export function emojiVersion(db: Db): string {
  const { count, newest } = emojiState(db)
  return `${count}.${newest}`
}

/** Refuses a user without the right to add one, or when there are too many. */
export function needCreate(db: Db, who: Identity): void {
  if (!mayCreate(who)) refuse('notAllowed', `User '${who.userId}' may not add emoji`)
  if (emojiState(db).count >= MAX_EMOJI) {
    refuse('input', `a workspace has at most ${MAX_EMOJI} emoji`, { emoji: 'count_limit' })
  }
}

/** Refuses a user who neither added it nor administers the app. */
export function needChange(row: Pick<EmojiRow, 'created_by'>, who: Identity): void {
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
export function checkedNames(db: Db, name: string, aliases: readonly string[], own?: string): readonly string[] {
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

export const aliasesOf = (row: Pick<EmojiRow, 'aliases'>): readonly string[] => JSON.parse(row.aliases) as string[]

/**
 * The upload for an emoji's picture: the user's own, not of a channel, and small. Its type was detected from its bytes
 * at upload.
 */
export function pictureFor(db: Db, url: string, ownerId: string): UploadRow {
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
