import { resolve } from 'node:path'
import { existsSync } from 'node:fs'
import { openForReading } from '#main/lib/sqlite/connection.ts'
import { nodeDisk } from '#main/lib/sqlite/disk.ts'
import { versionOf } from '#main/lib/sqlite/migrate.ts'
import { toText } from './time.ts'
import { NotDone } from './backup.ts'
import { NEWEST, inspect } from './open.ts'
import { type Row, StoreTooNew } from './db.ts'

type Item = Readonly<Record<string, unknown>>
type Kind = { readonly type: string; readonly sql: string; readonly item: (row: Row) => Item }

/** Columns that hold JSON, whole microseconds, or booleans. Null and empty values are left out. */
const JSON_COLUMNS = new Set([
  'attachments',
  'mentions',
  'teams',
  'filter_tags',
  'privacy',
  'config_overrides',
  'message',
  'options',
  'filter',
  'input',
  'segment_ids',
  'json',
  'members',
  'targets',
  'aliases',
])
const TIME = /(_at|_active|_read|_expires|_until|^at|scheduled_for|_before)$/
const BOOLEANS = new Set([
  'invisible',
  'banned',
  'shadow_banned',
  'frozen',
  'disabled',
  'invited',
  'silent',
  'shadow',
  'show_in_channel',
  'closed',
  'enforce_unique',
  'allow_answers',
  'allow_suggestions',
  'all_users',
  'all_sender_channels',
  'is_admin',
])

function plain(row: Row): Item {
  const item: Record<string, unknown> = {}
  for (const [name, cell] of Object.entries(row)) {
    if (cell === null || cell === '' || cell === '[]' || name === 'custom') continue
    item[name] = valueOf(name, cell)
  }
  return typeof row['custom'] === 'string' ? { ...(JSON.parse(row['custom']) as Item), ...item } : item
}

function valueOf(name: string, cell: string | number): unknown {
  if (JSON_COLUMNS.has(name)) return JSON.parse(String(cell))
  if (TIME.test(name) && typeof cell === 'number') return toText(cell)
  return BOOLEANS.has(name) ? cell === 1 : cell
}

/** A deleted message is exported without its content. */
const withoutContent = (row: Row): Row => ({ ...row, text: '', attachments: '[]', mentions: '[]', custom: '{}' })

/** `team:a` as the two fields of the hosted import. */
function inChannel(row: Row): Item {
  const { cid: _cid, ...item } = plain(row)
  const [type, ...id] = String(row['cid'] ?? '').split(':')
  return type === '' ? item : { channel_type: type, channel_id: id.join(':'), ...item }
}

const CHANNEL = 'EXISTS (SELECT 1 FROM channels c WHERE c.cid = x.cid AND c.deleted_at IS NULL)'

/**
 * One line per row, `{"type":…,"item":{…}}`, ordered so that a line only refers to earlier ones. The first
 * six types are those of the hosted API's import; the others are Parlor's own. Documented in docs/server.md.
 */
const KINDS: readonly Kind[] = [
  {
    type: 'user',
    sql: `SELECT id, name, image, role, language, teams, invisible, created_at, updated_at, last_active, deactivated_at,
      deleted_at, custom FROM users ORDER BY id`,
    item: plain,
  },
  {
    type: 'device',
    sql: 'SELECT id, user_id, push_provider, push_provider_name, created_at FROM devices ORDER BY 2, 1',
    item: plain,
  },
  {
    type: 'channel',
    sql: `SELECT id, type, name, created_by, team, frozen, disabled, cooldown, filter_tags, config_overrides, created_at, updated_at,
      truncated_at, custom FROM channels WHERE deleted_at IS NULL ORDER BY cid`,
    item: plain,
  },
  {
    type: 'member',
    sql: `SELECT cid, user_id, channel_role, invited, invite_accepted_at, invite_rejected_at, hidden AS is_hidden, hide_before,
      last_read, pinned_at, archived_at, created_at, custom FROM members x WHERE ${CHANNEL} ORDER BY cid, user_id`,
    item: (row) => {
      const { is_hidden: hidden, ...member } = inChannel(row)
      return {
        ...member,
        ...(hidden === 1 ? { hidden: true } : {}),
        ...(row['channel_role'] === 'channel_moderator' ? { is_moderator: true } : {}),
      }
    },
  },
  {
    type: 'message',
    // Parents come before their replies, and quoted messages are mostly older.
    sql: `SELECT id, cid, user_id AS user, type, text, parent_id, show_in_channel, quoted_id, poll_id, silent, pinned_at, pinned_by,
      pin_expires, attachments, mentions, created_at, updated_at, deleted_at, custom
      FROM messages x WHERE shadowed = 0 AND audience IS NULL AND ${CHANNEL} ORDER BY created_at, id`,
    item: (row) => {
      const {
        mentions,
        quoted_id: quoted,
        ...message
      } = inChannel(row['deleted_at'] === null ? row : withoutContent(row))
      return {
        ...message,
        ...(mentions ? { mentioned_users_ids: mentions } : {}),
        ...(quoted ? { quoted_message_id: quoted } : {}),
      }
    },
  },
  {
    type: 'reaction',
    sql: `SELECT message_id, x.type, x.user_id, score, x.created_at, x.custom FROM reactions x JOIN messages m ON m.id = x.message_id
      WHERE m.shadowed = 0 AND m.audience IS NULL ORDER BY message_id, x.user_id, x.type`,
    item: plain,
  },
  {
    type: 'channel_mute',
    sql: 'SELECT cid, user_id, expires_at, created_at FROM channel_mutes ORDER BY cid, user_id',
    item: inChannel,
  },
  {
    type: 'user_mute',
    sql: 'SELECT user_id, target_id, expires_at, created_at FROM user_mutes ORDER BY 1, 2',
    item: plain,
  },
  { type: 'user_block', sql: 'SELECT user_id, blocked_id, created_at FROM user_blocks ORDER BY 1, 2', item: plain },
  {
    type: 'ban',
    sql: 'SELECT cid, user_id, shadow, banned_by, reason, expires_at, created_at FROM bans ORDER BY cid, user_id',
    item: inChannel,
  },
  {
    type: 'draft',
    sql: 'SELECT cid, user_id, parent_id, message, created_at FROM drafts ORDER BY cid, user_id, parent_id',
    item: inChannel,
  },
  {
    type: 'reminder',
    sql: 'SELECT user_id, message_id, remind_at, created_at FROM reminders ORDER BY 1, 2',
    item: plain,
  },
  {
    type: 'poll',
    sql: `SELECT x.id, name, description, created_by, enforce_unique, max_votes, allow_answers, allow_suggestions,
      visibility AS voting_visibility, closed, created_at, updated_at, custom,
      (SELECT json_group_array(json_object('id', o.id, 'text', o.text) ORDER BY o.position, o.id) FROM poll_options o WHERE o.poll_id = x.id) AS options
      FROM polls x ORDER BY x.id`,
    item: plain,
  },
  {
    type: 'poll_vote',
    sql: 'SELECT poll_id, option_id, user_id, answer AS answer_text, created_at FROM poll_votes ORDER BY 1, created_at, id',
    item: plain,
  },
  {
    type: 'location',
    sql: 'SELECT message_id, user_id, latitude, longitude, device_id, end_at FROM locations ORDER BY 1',
    item: plain,
  },
  { type: 'thread', sql: 'SELECT parent_id, title, custom FROM thread_details ORDER BY 1', item: plain },
  {
    type: 'user_group',
    sql: `SELECT x.id, name, description, team_id, created_by, created_at,
      (SELECT json_group_array(user_id ORDER BY user_id) FROM user_group_members g WHERE g.group_id = x.id) AS members FROM user_groups x ORDER BY x.id`,
    item: plain,
  },
  {
    type: 'segment',
    sql: `SELECT x.id, type, name, description, filter, all_users, all_sender_channels, created_at,
      (SELECT json_group_array(target_id ORDER BY target_id) FROM segment_targets t WHERE t.segment_id = x.id) AS targets FROM segments x WHERE removed_at IS NULL ORDER BY x.id`,
    item: plain,
  },
  {
    type: 'campaign',
    sql: 'SELECT id, name, sender_id, status, input, segment_ids, scheduled_for, created_at FROM campaigns WHERE removed_at IS NULL ORDER BY 1',
    item: plain,
  },
  {
    type: 'setting',
    // Invitations belong to this device: they lead to its address and its certificate.
    sql: `SELECT kind, name, json AS value FROM settings
      WHERE kind NOT IN ('invitation', 'join_request') ORDER BY 1, 2`,
    item: (row) => ({ ...plain(row), value: JSON.parse(String(row['value'])) as unknown }),
  },
  {
    type: 'emoji',
    sql: 'SELECT name, aliases, upload_id, created_by, created_at FROM custom_emoji ORDER BY name',
    item: plain,
  },
  {
    type: 'upload',
    sql: 'SELECT id, name, mime_type, size_bytes, user_id, cid, created_at FROM uploads ORDER BY id',
    item: inChannel,
  },
]

/** The types of lines in their order. */
export const EXPORT_TYPES: readonly string[] = KINDS.map((kind) => kind.type)

/** A workspace as JSON lines, read at one moment, with or without a running server. Each text ends with a line feed. */
export function* exportLines(dataFolder: string): Generator<string> {
  const path = resolve(dataFolder, 'server.db')
  if (!existsSync(path)) throw new NotDone(`There is no workspace in ${dataFolder}.`)
  inspect(path, {})
  const db = openForReading(nodeDisk, path, { busyMs: 5_000 })
  try {
    const version = versionOf(db)
    if (version > NEWEST) throw new StoreTooNew()
    if (version < NEWEST)
      throw new NotDone('This workspace is of an older Parlor. Start its server once, then export it.')
    // One transaction for the whole export: one moment, even if the reader is slow.
    db.exec('BEGIN')
    for (const { type, sql, item } of KINDS) {
      for (const row of db.prepare<[], Row>(sql).iterate()) yield `${JSON.stringify({ type, item: item(row) })}\n`
    }
  } finally {
    db.close()
  }
}
