import { useMemo, useState } from 'react'
import type { ContextMessage, PendingDecision, ReviewItem } from '#shared/domain/manage/review.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useBreakpoint } from '../../../lib/page/environment.ts'
import { useAppDispatch, useConnection, useMediaUrl, useUser } from '../../../store/hooks.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { cx } from '../../../lib/cx.ts'
import { Avatar } from '../../../ui/Avatar/Avatar.tsx'
import { Portrait } from '../../people/index.ts'
import { BROWSING_PAUSE_MS, useLoaded } from '../loading.ts'
import { useTopic } from '../state.ts'
import { AuthorRow } from './AuthorCard.tsx'
import { loadContext, openItem } from './commands.ts'
import { DecisionBar } from './DecisionBar.tsx'
import { splitReason, useRefusedText, isCaught, useWords } from './words.ts'
import { DecidedTag } from './QueueList.tsx'
import type { Decisions } from './use-queue.ts'
import styles from './Review.module.css'

type Props = {
  readonly item: ReviewItem
  readonly rows: readonly ReviewItem[]
  readonly pending: PendingDecision | undefined
  readonly decisions: Decisions
  readonly onOpen: (id: string) => void
  readonly onGather: (ids: readonly string[]) => void
}

/** One item: what was said, in its context; who complained and why; what was decided; and what to decide. */
export function Detail({ item, rows, pending, decisions, onOpen, onGather }: Props) {
  const t = useTexts('review')
  const dispatch = useAppDispatch()
  const breakpoint = useBreakpoint()
  const words = useWords()
  const at = rows.findIndex(({ id }) => id === item.id)
  const count = item.reports.filter(({ byId }) => byId !== undefined).length
  const place = words.place(item)
  const sentence =
    item.subject === 'person'
      ? isCaught(item)
        ? t('head.caughtPerson')
        : t('head.reportedPerson', { count })
      : isCaught(item)
        ? t('head.caught', { place })
        : t('head.reportedMessage', { count, place })
  const before = rows[at - 1]
  const after = rows[at + 1]
  return (
    <div className={styles['detail']}>
      <section className={styles['read']} aria-label={t('head.message')} tabIndex={0} data-review-message="">
        <div className={styles['top']}>
          <span className={styles['sentence']}>
            <b>{words.mainReason(item)}</b> {sentence}
          </span>
          {breakpoint === 'narrow' ? (
            <>
              <IconButton
                icon="chevron-up"
                label={t('head.previous')}
                onClick={() => before && onOpen(before.id)}
                aria-disabled={before === undefined || undefined}
              />
              <IconButton
                icon="chevron-down"
                label={t('head.next')}
                onClick={() => after && onOpen(after.id)}
                aria-disabled={after === undefined || undefined}
              />
            </>
          ) : null}
          {item.cid === undefined || item.state === 'gone' ? null : (
            <Button size="small" onClick={() => dispatch(openItem(item))}>
              {t('head.open')}
            </Button>
          )}
        </div>
        <Outcome item={item} pending={pending} decisions={decisions} />
        {breakpoint === 'wide' || item.authorId === undefined ? null : (
          <AuthorRow userId={item.authorId} item={item} onGather={onGather} />
        )}
        {item.subject === 'person' ? <Profile item={item} /> : <Context item={item} />}
        <Reports key={item.id} item={item} />
        <History item={item} />
      </section>
      <DecisionBar items={[item]} decisions={decisions} />
    </div>
  )
}

/** A decision that waits or was refused, or that someone else made, with what can be done about it. */
function Outcome({ item, pending, decisions }: Pick<Props, 'item' | 'pending' | 'decisions'>) {
  const t = useTexts('review')
  const refused = useRefusedText()
  if (pending === undefined) {
    return item.status === 'decided' ? (
      <p className={styles['outcome']}>
        <DecidedTag item={item} />
      </p>
    ) : null
  }
  const isRefused = pending.state === 'refused'
  return (
    <p className={cx(styles['outcome'], isRefused && styles['refused'])} role="status">
      <Icon name={isRefused ? 'alert-circle' : 'cloud-off'} size={15} />
      <bdi>{isRefused ? refused(pending) : t(`queued.${pending.action}`)}</bdi>
      {isRefused && pending.retryable ? (
        <Button size="small" variant="link" onClick={() => decisions.retry(pending)}>
          {t('actions.tryAgain')}
        </Button>
      ) : null}
      <Button size="small" variant="link" onClick={() => void decisions.takeBack(pending)}>
        {t(isRefused ? 'actions.dismiss' : 'actions.undo')}
      </Button>
    </p>
  )
}

/** The message with up to three others on each side. */
function Context({ item }: Pick<Props, 'item'>) {
  const t = useTexts('review')
  const { offline } = useConnection()
  const { cid, messageId, parentId } = item
  const isGone = item.state === 'gone'
  const load = useMemo(
    () =>
      cid === undefined || messageId === undefined || isGone ? undefined : loadContext({ cid, messageId, parentId }),
    [cid, messageId, parentId, isGone],
  )
  const { value, error, again } = useLoaded(load, useTopic('review'), BROWSING_PAUSE_MS)
  const messages = value?.messages ?? []
  const at = messages.findIndex(({ id }) => id === messageId)
  const target = at < 0 ? undefined : messages[at]
  const before = at < 0 ? messages.filter((each) => each.at <= item.createdAt) : messages.slice(0, at)
  const after = at < 0 ? messages.filter((each) => each.at > item.createdAt) : messages.slice(at + 1)
  return (
    <>
      <div className={styles['context']}>
        {before.slice(-3).map((message) => (
          <Beside key={message.id} message={message} />
        ))}
        <Target item={item} at={target?.at ?? item.createdAt} />
        {after.slice(0, 3).map((message) => (
          <Beside key={message.id} message={message} />
        ))}
      </div>
      {value?.refused === true ? <p className={styles['hint']}>{t('context.refused')}</p> : null}
      {error !== undefined && value === undefined ? (
        <p className={styles['hint']}>
          {t(offline ? 'context.offline' : 'context.failed')}{' '}
          {offline ? null : (
            <Button size="small" variant="link" onClick={again}>
              {t('context.again')}
            </Button>
          )}
        </p>
      ) : null}
    </>
  )
}

function Target({ item, at }: { readonly item: ReviewItem; readonly at: number }) {
  const t = useTexts('review')
  const words = useWords()
  return (
    <div className={cx(styles['message'], styles['target'])}>
      {item.authorId === undefined ? <Icon name="user-x" size={28} /> : <Portrait userId={item.authorId} size={28} />}
      <div className={styles['body']}>
        <div className={styles['line']}>
          <bdi className={styles['author']}>{words.name(item.authorId)}</bdi>
          <time>{words.clock(at)}</time>
          <span className={styles['mark']}>
            <Icon name={isCaught(item) ? 'filter' : 'flag'} size={14} /> {t('context.reported')}
          </span>
          {item.state === 'there' ? null : <span className={styles['mark']}>{t(`state.${item.state}`)}</span>}
        </div>
        {item.text === '' && item.state === 'gone' ? (
          <div className={cx(styles['text'], styles['faint'])}>{t('context.gone')}</div>
        ) : (
          <div className={styles['text']} dir="auto">
            {item.text}
          </div>
        )}
        <Files count={item.fileCount} />
      </div>
    </div>
  )
}

function Beside({ message }: { readonly message: ContextMessage }) {
  const t = useTexts('review')
  const words = useWords()
  return (
    <div className={styles['message']}>
      <Portrait userId={message.userId} size={28} />
      <div className={styles['body']}>
        <div className={styles['line']}>
          <bdi className={styles['author']}>{words.name(message.userId)}</bdi>
          <time>{words.clock(message.at)}</time>
        </div>
        <div className={cx(styles['text'], message.isDeleted && styles['faint'])} dir="auto">
          {message.isDeleted ? t('context.deleted') : message.text}
        </div>
        <Files count={message.fileCount} />
      </div>
    </div>
  )
}

function Files({ count }: { readonly count: number }) {
  const t = useTexts('review')
  if (count === 0) return null
  return (
    <div className={styles['files']}>
      <Icon name="paperclip" size={14} /> {t('files', { count })}
    </div>
  )
}

/** Reports shown at once; an item may have a hundred. */
const SHOWN = 10

/** Who complained, why, and when. */
function Reports({ item }: Pick<Props, 'item'>) {
  const t = useTexts('review')
  const words = useWords()
  const [all, setAll] = useState(false)
  if (item.reports.length === 0) return null
  const shown = all ? item.reports : item.reports.slice(0, SHOWN)
  return (
    <>
      <h2 className={styles['label']}>{t('reports.title')}</h2>
      <ul>
        {shown.map((report, index) => {
          const { note } = splitReason(report.reason ?? '')
          return (
            <li key={index} className={styles['report']}>
              {report.byId === undefined ? (
                <Icon name="filter" size={18} />
              ) : (
                <Portrait userId={report.byId} size={24} />
              )}
              <bdi className={styles['reporter']}>
                {report.byId === undefined
                  ? t('reports.rule', { rule: report.rule ?? words.reasonOf(report) })
                  : words.name(report.byId)}
              </bdi>
              <span className={styles['reason']}>
                <bdi>{report.byId === undefined ? '' : words.reasonOf(report)}</bdi>
                {note === '' ? null : <bdi className={styles['note']}> {t('reports.note', { note })}</bdi>}
              </span>
              {report.at === undefined ? null : <time>{words.time(report.at)}</time>}
            </li>
          )
        })}
      </ul>
      {shown.length === item.reports.length ? null : (
        <Button size="small" variant="link" onClick={() => setAll(true)}>
          {t('actions.more')}
        </Button>
      )}
    </>
  )
}

/** What was decided about it so far, the last decision first. */
function History({ item }: Pick<Props, 'item'>) {
  const t = useTexts('review')
  const words = useWords()
  if (item.decisions.length === 0) return null
  return (
    <>
      <h2 className={styles['label']}>{t('decisions.title')}</h2>
      <ul className={styles['history']}>
        {item.decisions.toReversed().map(({ action, byId, at }, index) => (
          <li key={index}>
            {t(`decisions.${action}`)}
            <span className={styles['second']}>
              {byId === undefined
                ? words.day(at)
                : t('decisions.when', { time: words.day(at), name: words.name(byId) })}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

const SIZE = 56

/** A reported person: the profile as it was when it was reported beside what it is now, where the server recorded it. */
function Profile({ item: { authorId, profile } }: { readonly item: ReviewItem }) {
  const t = useTexts('review')
  const words = useWords()
  if (authorId === undefined) return null
  const { changed } = profile ?? {}
  const isChanged = changed?.name === true || changed?.picture === true
  return (
    <>
      <div className={styles['profiles']}>
        {profile !== undefined && isChanged ? (
          <figure className={styles['profile']}>
            <figcaption>{t('profile.then')}</figcaption>
            <Then userId={authorId} profile={profile} />
            <bdi className={styles['author']}>{cleanName(profile.name)}</bdi>
            {profile.picture === undefined ? <span className={styles['second']}>{t('profile.noPhoto')}</span> : null}
          </figure>
        ) : null}
        <figure className={styles['profile']}>
          <figcaption>{t('profile.now')}</figcaption>
          <Portrait userId={authorId} size={SIZE} />
          <bdi className={styles['author']}>{words.name(authorId)}</bdi>
          <NoPhoto userId={authorId} />
        </figure>
      </div>
      <p className={styles['hint']}>
        {profile === undefined
          ? t('profile.unknown')
          : !isChanged
            ? t('profile.same')
            : t(changed?.name && changed.picture ? 'profile.both' : changed?.name ? 'profile.name' : 'profile.photo')}
      </p>
    </>
  )
}

function NoPhoto({ userId }: { readonly userId: UserId }) {
  const t = useTexts('review')
  return useUser(userId)?.image === undefined ? <span className={styles['second']}>{t('profile.noPhoto')}</span> : null
}

type ThenProps = { readonly userId: UserId; readonly profile: NonNullable<ReviewItem['profile']> }

function Then({ userId, profile: { name, picture } }: ThenProps) {
  const { url, onError } = useMediaUrl(picture, 'full')
  return <Avatar id={userId} name={cleanName(name)} size={SIZE} src={url} onError={onError} />
}
