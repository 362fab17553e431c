import { useId, useMemo, useState } from 'react'
import type {
  ReviewedAuthor,
  ReviewItem,
  BanEvent,
  SameText as Found,
  ListedBan,
} from '#shared/domain/manage/review.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useUser, useConnection } from '../../../store/hooks.ts'
import { dialogOpened, placeOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Tag } from '../../../ui/Mark/Pill.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Portrait } from '../../people/index.ts'
import { BROWSING_PAUSE_MS, useLoaded } from '../loading.ts'
import { useTopic } from '../state.ts'
import { loadAuthor, gatherItems, loadSameText, MOST_AT_ONCE } from './commands.ts'
import { useWords, splitReason } from './words.ts'
import styles from './Review.module.css'

type Props = {
  readonly userId: UserId
  readonly item: ReviewItem
  /** These items are selected together with the open one. */
  readonly onGather: (ids: readonly string[]) => void
}

function useAuthor(userId: UserId) {
  const load = useMemo(() => loadAuthor({ userId }), [userId])
  return useLoaded(load, useTopic('review') + useTopic('bans'), BROWSING_PAUSE_MS)
}

/** Who the author has been here: since when, how much they wrote, what was reported and decided before. */
export function AuthorCard(props: Props) {
  return <Card {...props} author={useAuthor(props.userId)} />
}

type CardProps = Props & { readonly author: ReturnType<typeof useAuthor> }

function Card({ userId, item, onGather, author: { value, error } }: CardProps) {
  const t = useTexts('review')
  const dispatch = useAppDispatch()
  const user = useUser(userId)
  return (
    <section aria-label={t('author.title')} className={styles['card']}>
      <div className={styles['who']}>
        <Portrait userId={userId} size={40} />
        <div className={styles['body']}>
          <bdi className={styles['name']}>{cleanName(user?.name ?? userId)}</bdi>
          <bdi className={styles['id']}>{userId}</bdi>
          {value?.isDeleted === true ? <Tag>{t('deletedPerson')}</Tag> : null}
        </div>
      </div>
      <Facts author={value} item={item} />
      {error === undefined ? null : <p className={styles['hint']}>{t('author.failed')}</p>}
      <Button size="small" onClick={() => dispatch(dialogOpened({ kind: 'person', userId }))}>
        {t('author.profile')}
      </Button>
      {value === undefined ? null : <Timeline author={value} />}
      {item.subject === 'message' ? <SameText key={item.id} item={item} onGather={onGather} /> : null}
    </section>
  )
}

/** The card as one row; it opens below. */
export function AuthorRow({ userId, item, onGather }: Props) {
  const t = useTexts('review')
  const words = useWords()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const author = useAuthor(userId)
  const { value } = author
  const role = useRole(value?.role)
  const facts = [
    role,
    value?.messages === undefined ? undefined : t('author.messagesCount', { count: value.messages }),
    item.bans.length === 0 ? undefined : t('author.banned', { count: item.bans.length }),
  ]
  return (
    <>
      <button
        type="button"
        className={styles['authorRow']}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen((open) => !open)}
      >
        <Portrait userId={userId} size={32} />
        <span className={styles['body']}>
          <bdi className={styles['author']}>{words.name(userId)}</bdi>
          <span className={styles['second']}>{facts.filter((fact) => fact !== undefined).join(', ')}</span>
        </span>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={16} />
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen ? <Card userId={userId} item={item} author={author} onGather={onGather} /> : null}
      </div>
    </>
  )
}

const ROLES = ['user', 'admin', 'moderator', 'guest', 'anonymous'] as const

function useRole(role: string | undefined): string | undefined {
  const t = useTexts('review')
  const known = ROLES.find((each) => each === role)
  return known === undefined ? role : t(`roles.${known}`)
}

function Facts({ author, item }: { readonly author: ReviewedAuthor | undefined } & Pick<Props, 'item'>) {
  const t = useTexts('review')
  const formats = useFormats()
  const now = useMinute()
  const role = useRole(author?.role)
  const bans = author?.bans ?? item.bans
  const before = Math.max(0, (author?.pastBans?.filter(({ what }) => what === 'ban').length ?? 0) - bans.length)
  const rows: readonly (readonly [string, string | undefined])[] = [
    [
      t('author.joined'),
      author?.joinedAt === undefined
        ? undefined
        : `${formats.date(author.joinedAt, now)} (${formats.ago(author.joinedAt, now)})`,
    ],
    [t('author.role'), role],
    [
      t('author.messages'),
      author?.messages === undefined
        ? undefined
        : author.deletedMessages === undefined
          ? t('author.messagesCount', { count: author.messages })
          : t('author.messagesValue', { count: author.messages, deleted: author.deletedMessages }),
    ],
    [
      t('author.reported'),
      author?.reports === undefined
        ? undefined
        : t('author.reportedValue', {
            times: t('author.reportedTimes', { count: author.reports }),
            people: t('author.people', { count: author.reporters ?? 0 }),
          }),
    ],
    [t('author.muted'), author?.mutedBy === undefined ? undefined : t('author.people', { count: author.mutedBy })],
  ]
  return (
    <dl className={styles['facts']}>
      {rows.map(([label, value]) =>
        value === undefined ? null : (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ),
      )}
      <div>
        <dt>{t('author.bans')}</dt>
        <dd>
          {bans.length === 0 && before === 0 ? t('author.noBans') : null}
          {bans.map((ban) => (
            <Ban key={ban.cid ?? ''} ban={ban} />
          ))}
          {before === 0 ? null : t(bans.length === 0 ? 'author.noneNow' : 'author.bansBefore', { count: before })}
        </dd>
      </div>
    </dl>
  )
}

function Ban({ ban }: { readonly ban: ListedBan }) {
  const t = useTexts('review')
  const words = useWords()
  const place =
    ban.cid === undefined
      ? t('author.everywhere')
      : words.place({ cid: ban.cid, channelName: ban.channelName, subject: 'message' })
  const parts = [
    place,
    ban.until === undefined ? t('author.permanent') : t('author.until', { time: words.day(ban.until) }),
    ban.shadow ? t('author.shadow') : undefined,
  ]
  return <bdi className={styles['ban']}>{parts.filter((part) => part !== undefined).join(', ')}</bdi>
}

type Line = { readonly key: string; readonly at: number; readonly what: string; readonly details: readonly string[] }

/** More would only be scrolled past. */
const DECISIONS_SHOWN = 10
const DAY_S = 86_400
const HOUR_S = 3_600

/** What was decided about a person and their messages so far, the last thing first. */
function Timeline({ author }: { readonly author: ReviewedAuthor }) {
  const t = useTexts('review')
  const words = useWords()
  const banLine = useBanLine()
  const { earlier, pastBans } = author
  const decisions = earlier
    // Bans are listed with what the history says about them.
    .filter(({ action }) => pastBans === undefined || (action !== 'ban' && action !== 'unban'))
    .map(({ action, at, byId, itemId }): Line => {
      const details = [words.day(at), ...(byId === undefined ? [] : [words.name(byId)])]
      return { key: `${itemId} ${at} ${action}`, at, what: t(`decisions.${action}`), details }
    })
  const bans = (pastBans ?? []).map((ban, index): Line => ({ ...banLine(ban), key: `ban ${index}`, at: ban.at }))
  const lines = [...decisions, ...bans].toSorted((a, b) => b.at - a.at).slice(0, DECISIONS_SHOWN)
  return (
    <>
      <h2 className={styles['label']}>{t('author.earlier')}</h2>
      {lines.length === 0 ? <p className={styles['second']}>{t('author.noEarlier')}</p> : null}
      <ul className={styles['timeline']}>
        {lines.map(({ key, what, details }) => (
          <li key={key}>
            <bdi>{what}</bdi>
            <bdi className={styles['second']}>{details.join(' · ')}</bdi>
          </li>
        ))}
      </ul>
    </>
  )
}

/** What happened and where; below it when, by whom, for how long and why. */
function useBanLine(): (ban: BanEvent) => Pick<Line, 'what' | 'details'> {
  const t = useTexts('review')
  const words = useWords()
  const duration = (seconds: number): string =>
    seconds % DAY_S === 0
      ? t('bans.days', { count: seconds / DAY_S })
      : seconds % HOUR_S === 0
        ? t('bans.hours', { count: seconds / HOUR_S })
        : t('bans.minutes', { count: Math.round(seconds / 60) })
  return ({ what, at, byId, cid, channelName, reason, seconds, shadow }) => {
    const name = what === 'ban' && shadow ? 'shadow' : what
    return {
      what:
        cid === undefined
          ? t(`bans.${name}.everywhere`)
          : t(`bans.${name}.in`, { place: words.place({ cid, channelName, subject: 'message' }) }),
      details: [
        words.day(at),
        ...(byId === undefined ? [] : [words.name(byId)]),
        ...(seconds === undefined ? [] : [duration(seconds)]),
        ...(reason === undefined || reason === '' ? [] : [t('bans.reason', { reason: cleanName(reason) })]),
      ],
    }
  }
}

type SameTextProps = {
  readonly item: ReviewItem
  /** These items are selected together with the open one. */
  readonly onGather: (ids: readonly string[]) => void
}

/** Names of places in one sentence; the rest is counted. */
const NAMED = 3
/** Listed at once. */
const COPIES_SHOWN = 5

/** Other messages with the text of the open one, each a way to it, and all of them to be decided together. */
function SameText({ item, onGather }: SameTextProps) {
  const t = useTexts('review')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const words = useWords()
  const { messageId, text } = item
  const load = useMemo(
    () => (messageId === undefined || text === '' ? undefined : loadSameText({ messageId, text })),
    [messageId, text],
  )
  const { value } = useLoaded(load, useTopic('review'), BROWSING_PAUSE_MS)
  const [all, setAll] = useState(false)
  if (value === undefined || value === null || value.copies.length === 0) return null
  const { copies, where } = value
  const places = [...new Set(copies.map((copy) => words.place({ ...copy, subject: 'message' })))]
  const named = places.slice(0, NAMED)
  const rest = places.length - named.length
  const shown = all ? copies : copies.slice(0, COPIES_SHOWN)
  return (
    <section aria-label={t('same.title')} className={styles['same']}>
      <h2 className={styles['label']}>{t('same.title')}</h2>
      <p className={styles['sentenceText']}>
        <bdi>
          {t(where === 'server' ? 'same.server' : 'same.device', {
            count: copies.length,
            places: formats.list(rest === 0 ? named : [...named, t('same.morePlaces', { count: rest })]),
          })}
        </bdi>
      </p>
      <ul className={styles['copies']}>
        {shown.map(({ id, cid, parentId, userId, at, channelName, isDecided }) => (
          <li key={id}>
            <Button size="small" variant="link" onClick={() => dispatch(placeOpened({ cid, parentId, messageId: id }))}>
              <bdi>
                {t('same.copy', {
                  name: words.name(userId),
                  place: words.place({ cid, channelName, subject: 'message' }),
                  time: words.time(at),
                })}
              </bdi>
            </Button>
            {isDecided === true ? <span className={styles['second']}>{t('same.decided')}</span> : null}
          </li>
        ))}
      </ul>
      {shown.length === copies.length ? null : (
        <Button size="small" variant="link" onClick={() => setAll(true)}>
          {t('same.all', { count: copies.length })}
        </Button>
      )}
      <SelectAll item={item} copies={copies} onGather={onGather} />
    </section>
  )
}

/** Selects the open item and its copies; those that nobody reported are put in the queue first. */
function SelectAll({ item, copies, onGather }: SameTextProps & Pick<Found, 'copies'>) {
  const t = useTexts('review')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [working, setWorking] = useState(false)
  const open = copies.filter(({ isDecided }) => isDecided !== true).slice(0, MOST_AT_ONCE)
  if (open.length === 0 || item.status !== 'waiting') return null
  const reason = splitReason(item.reports.find(({ byId }) => byId !== undefined)?.reason ?? '').kind
  const gather = async (): Promise<void> => {
    setWorking(true)
    const messageIds = open.map(({ id }) => id)
    const gathered = await dispatch(gatherItems({ messageIds, ...(reason === '' ? {} : { reason }) }))
    setWorking(false)
    if (gathered.ok) onGather(gathered.value.ids)
  }
  return (
    <Button
      size="small"
      working={working}
      aria-disabled={offline || undefined}
      title={offline ? t('why.offline') : open.some(({ itemId }) => itemId === undefined) ? t('same.hint') : undefined}
      onClick={() => offline || void gather()}
    >
      {t('same.select', { count: open.length + 1 })}
    </Button>
  )
}
