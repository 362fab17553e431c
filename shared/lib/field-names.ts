/**
 * Fields of a user that the contract or Parlor defines: they are not custom, and are changed where they belong. See
 * docs/wire.md 5.2.
 */
const DEFINED: ReadonlySet<string> = new Set([
  'id',
  'name',
  'image',
  'role',
  'roles',
  'online',
  'invisible',
  'last_active',
  'banned',
  'shadow_banned',
  'ban_expires',
  'language',
  'teams',
  'teams_role',
  'privacy_settings',
  'blocked_user_ids',
  'created_at',
  'updated_at',
  'deactivated_at',
  'deleted_at',
  'revoke_tokens_issued_before',
  'avg_response_time',
  'anon',
  'push_notifications',
  'push_preferences',
  'mutes',
  'channel_mutes',
  'devices',
  'total_unread_count',
  'unread_count',
  'unread_channels',
  'unread_threads',
  'total_unread_count_by_team',
  'latest_hidden_channels',
  'status_text',
  'status_until',
  'away',
  'bot',
  'duration',
])

/** A path with a dot would reach into another field. */
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/

export const isDefinedField = (name: string): boolean => DEFINED.has(name) || name === '__proto__'

/** Whether a custom field may have this name. */
export const isFieldName = (name: string): boolean => NAME.test(name) && !isDefinedField(name)

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/

/** Whether a role, a channel type, a command or a user group may have this name. */
export const isPlainName = (name: string): boolean => PLAIN.test(name)
