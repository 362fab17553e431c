import { useMemo } from 'react'
import type { NamedRight, Role } from '#shared/domain/manage/directory.ts'
import { useTexts } from '../../../i18n/index.ts'

const ROLES = [
  'anonymous',
  'guest',
  'user',
  'moderator',
  'admin',
  'channel_member',
  'channel_moderator',
  'owner',
] as const
type KnownRole = (typeof ROLES)[number]

const isKnownRole = (name: string): name is KnownRole => (ROLES as readonly string[]).includes(name)

/** In this order: with fewer rights first. Own roles come after those of channels. */
export function orderedRoles(roles: readonly Role[], compare: (a: string, b: string) => number): readonly Role[] {
  const place = ({ name, scope }: Role): number => {
    const at = (ROLES as readonly string[]).indexOf(name)
    return at >= 0 ? at : scope === 'app' ? 4.5 : ROLES.length
  }
  return roles.toSorted((a, b) => place(a) - place(b) || compare(a.name, b.name))
}

/** The name of a role in words. Own roles have only the name that they were given. */
export function useRoleName(): (name: string) => string {
  const t = useTexts('roles')
  return useMemo(() => (name: string) => (isKnownRole(name) ? t(`names.${name}`) : name), [t])
}

/** Who has a role. */
export function useRoleHint(): (role: Role) => string {
  const t = useTexts('roles')
  return ({ name }) => t(isKnownRole(name) ? `hints.${name}` : 'hints.own')
}

/** Rights in the order in which they are shown. */
const GROUPS = {
  read: [
    'read-channel',
    'join-channel',
    'leave-channel',
    'search-messages',
    'read-events',
    'delivery-events',
    'typing-events',
    'connect-events',
    'query-poll-votes',
    'mute-channel',
  ],
  write: [
    'send-message',
    'send-reply',
    'quote-message',
    'send-reaction',
    'send-links',
    'upload-file',
    'create-attachment',
    'create-mention',
    'notify-channel',
    'notify-here',
    'notify-role',
    'notify-group',
    'send-poll',
    'cast-poll-vote',
    'share-location',
    'send-typing-events',
    'update-own-message',
    'delete-own-message',
    'pin-message',
    'send-custom-events',
    'skip-slow-mode',
  ],
  moderate: [
    'flag-message',
    'update-any-message',
    'delete-any-message',
    'ban-channel-members',
    'freeze-channel',
    'set-channel-cooldown',
    'send-restricted-visibility-message',
  ],
  run: ['create-channel', 'update-channel', 'update-channel-members', 'update-thread', 'delete-channel'],
} as const

type GroupName = keyof typeof GROUPS | 'other'
type KnownRight = (typeof GROUPS)[keyof typeof GROUPS][number]

const KNOWN_RIGHTS: ReadonlySet<string> = new Set(Object.values(GROUPS).flat())
const isKnownRight = (name: string): name is KnownRight => KNOWN_RIGHTS.has(name)

export type RightRow = { readonly name: string; readonly title: string; readonly hint: string | undefined }
export type RightGroup = { readonly name: GroupName; readonly title: string; readonly rows: readonly RightRow[] }

export function useRightRow(): (right: NamedRight) => RightRow {
  const t = useTexts('roles')
  return useMemo(
    () =>
      ({ name, title }: NamedRight) =>
        isKnownRight(name)
          ? { name, title: t(`rights.${name}.title`), hint: t(`rights.${name}.hint`) }
          : { name, title: title ?? name, hint: undefined },
    [t],
  )
}

/** The rights of the server in groups; those that Parlor has no words for come last. */
export function useRightGroups(rights: readonly NamedRight[]): readonly RightGroup[] {
  const t = useTexts('roles')
  const rowOf = useRightRow()
  return useMemo(() => {
    const named = new Set(rights.map(({ name }) => name))
    const known = Object.entries(GROUPS).map(([name, members]) => ({
      name: name as GroupName,
      rows: (members as readonly string[]).filter((right) => named.has(right)).map((right) => rowOf({ name: right })),
    }))
    const other = { name: 'other' as const, rows: rights.filter(({ name }) => !isKnownRight(name)).map(rowOf) }
    return [...known, other]
      .filter(({ rows }) => rows.length > 0)
      .map((group) => ({ ...group, title: t(`groups.${group.name}`) }))
  }, [rights, rowOf, t])
}

const FEATURES = [
  'typing_events',
  'read_events',
  'connect_events',
  'delivery_events',
  'search',
  'reactions',
  'replies',
  'quotes',
  'mutes',
  'uploads',
  'custom_events',
  'polls',
  'shared_locations',
] as const

/** The name of a feature of channels in words. */
export function useFeatureName(): (flag: string) => string {
  const t = useTexts('roles')
  return useMemo(
    () => (flag: string) => {
      const known = FEATURES.find((each) => each === flag)
      return known === undefined ? flag : t(`features.${known}`)
    },
    [t],
  )
}
