import type { HistoryChange, HistoryEntry } from '#shared/domain/manage/review.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import type history from '../../../../resources/locales/en/history.json'
import { useTexts } from '../../../i18n/index.ts'
import { useSession } from '../../../store/hooks.ts'
import { useName } from '../../people/index.ts'
import { useRightRow, useRoleName } from '../roles/words.ts'

/** Actions of which the place is the object. */
const ABOUT_CHANNEL = /^channel\.(?!type)/
/** Actions that the clock carries out. */
const BY_ITSELF = 'user.ban_ended'

/** Who, what, whom, where. */
export function Sentence({ entry }: { readonly entry: HistoryEntry }) {
  const t = useTexts('history')
  const words = useActionWords()
  const { action, byId, targetId, subject, cid, channelName } = entry
  const place = cid === undefined ? undefined : `#${cleanName(channelName ?? cid)}`
  const isAbout = ABOUT_CHANNEL.test(action)
  return (
    <>
      {action === BY_ITSELF ? null : byId === undefined ? <b>{t('program')}</b> : <Person userId={byId} />}{' '}
      {words(action)} {targetId === undefined || action.startsWith('poll.') ? null : <Person userId={targetId} />}{' '}
      {subject === undefined ? null : <b dir="auto">{t('reason', { reason: cleanName(subject) })}</b>}{' '}
      {place === undefined ? (
        action === 'user.ban' || action === 'user.unban' ? (
          t('everywhere')
        ) : null
      ) : isAbout ? (
        <b>
          <bdi>{place}</bdi>
        </b>
      ) : (
        <bdi>{t('in', { place })}</bdi>
      )}
    </>
  )
}

function Person({ userId }: { readonly userId: string }) {
  const t = useTexts('history')
  const name = useName(userId)
  const isMe = useSession().userId === userId
  return (
    <b>
      <bdi>{isMe ? t('you') : name}</bdi>
    </b>
  )
}

type Named = keyof (typeof history)['actions']

/** Actions by kind, as the server names them. */
export const KINDS = {
  bans: ['user.ban', 'user.unban', 'user.ban_ended', 'user.mute', 'user.unmute'],
  messages: ['message.delete', 'message.edit', 'message.restore', 'review.decide'],
  roles: ['user.role', 'member.role', 'role.create', 'role.delete'],
  people: [
    'user.create',
    'user.update',
    'user.deactivate',
    'user.reactivate',
    'user.delete',
    'user.restore',
    'member.remove',
  ],
  channels: ['channel.freeze', 'channel.unfreeze', 'channel.delete', 'channel.truncate', 'poll.delete', 'poll.close'],
  workspace: [
    'app.update',
    'channel_type.create',
    'channel_type.update',
    'channel_type.delete',
    'command.create',
    'command.update',
    'command.delete',
    'blocklist.create',
    'blocklist.update',
    'blocklist.delete',
    'config.update',
    'config.delete',
    'rule.update',
    'rule.delete',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Kind = keyof typeof KINDS

const KNOWN: ReadonlySet<string> = new Set(Object.values(KINDS).flat())

/** What was done, in words; an action that Parlor does not know keeps the server's name. */
function useActionWords(): (action: string) => string {
  const t = useTexts('history')
  return (action) => (KNOWN.has(action) ? t(`actions.${action.replaceAll('.', '_') as Named}`) : action)
}

const HOWS = ['hard', 'soft', 'pruning', 'shadow', 'mark_reviewed', 'delete_message', 'restore'] as const
const FIELDS = ['role', 'name', 'image', 'language', 'teams', 'custom'] as const
const DAY_S = 86_400
const HOUR_S = 3_600

/** One change in words: a right that a role got or lost, or what a value was and is. */
export function useChangeWords(): (change: HistoryChange) => string {
  const t = useTexts('history')
  const roles = useTexts('roles')
  const roleName = useRoleName()
  const rowOf = useRightRow()
  return ({ field, from, to }) => {
    if (field.startsWith('grants.')) {
      const words = { role: roleName(field.slice(7)), right: rowOf({ name: to ?? from ?? '' }).title }
      return roles(to === undefined ? 'loses' : 'gets', words)
    }
    if (field === 'role') return t('fromTo', { from: roleName(from ?? ''), to: roleName(to ?? '') })
    const known = FIELDS.find((each) => each === field)
    const name = known === undefined ? field : t(`fields.${known}`)
    if (from === undefined && to === undefined) return t('changed', { field: name })
    return t('change', { field: name, from: from ?? t('empty'), to: to ?? t('empty') })
  }
}

/** The second line of an entry: why, how, for how long, from what to what. */
export function useSecondLine(): (entry: HistoryEntry) => string {
  const t = useTexts('history')
  const changeWords = useChangeWords()
  return ({ reason, how, seconds, changes }) => {
    const known = HOWS.find((each) => each === how)
    const [first] = changes
    const parts = [
      known === undefined ? how : t(`hows.${known}`),
      seconds === undefined
        ? undefined
        : seconds % DAY_S === 0
          ? t('forDays', { count: seconds / DAY_S })
          : seconds % HOUR_S === 0
            ? t('forHours', { count: seconds / HOUR_S })
            : t('for', { count: Math.round(seconds / 60) }),
      reason === undefined ? undefined : t('reason', { reason: cleanName(reason) }),
      first === undefined ? undefined : changeWords(first).replace(/\.$/u, ''),
      changes.length < 2 ? undefined : t('moreChanges', { count: changes.length - 1 }),
    ]
    return parts.filter((part) => part !== undefined).join(' · ')
  }
}
