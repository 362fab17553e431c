import { useId, useMemo, useState } from 'react'
import type { ReviewedAuthor, ReviewItem, ListedBan } from '#shared/domain/manage/review.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useUser } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Tag } from '../../../ui/Mark/Tag.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { BROWSING_PAUSE_MS, useLoaded, useTopic } from '../index.ts'
import { Portrait } from '../../people/index.ts'
import { loadAuthor } from './commands.ts'
import { SameText } from './SameText.tsx'
import { Timeline } from './Timeline.tsx'
import { useWords } from './use-words.ts'
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
        : `${formats.date(author.joinedAt, now)} (${formats.relative(author.joinedAt, now)})`,
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
