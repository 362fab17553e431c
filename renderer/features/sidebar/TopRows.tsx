import { useTexts } from '../../i18n/index.ts'
import { useReminderClock } from '../../store/use-reminder-clock.ts'
import { useAppDispatch, useAppSelector, useCanParticipate } from '../../store/hooks.ts'
import { dueCount, selectReminderTimes } from '../../store/reminders.ts'
import type { AppState } from '../../store/store.ts'
import { panelOpened, routeOpened } from '../../store/window/ui.ts'
import { selectDraftCount, selectOutboxCount } from '../../store/composers/unsent.ts'
import { Count } from '../../ui/Mark/Count.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { cx } from '../../lib/cx.ts'
import { useInvites, useLoadInvites } from './use-invites.ts'
import { GATHERED, ViewRow } from './ViewRow.tsx'
import styles from './ChannelRow.module.css'

/** Ids of the rows above the sections. Reminders and drafts are always shown, so that typing moves nothing; invitations and outbox only when not empty. */
export function useTopRowIds(): readonly string[] {
  const outbox = useAppSelector(selectOutboxCount) > 0
  const invited = useInvites().length > 0
  useLoadInvites()
  if (!useCanParticipate()) return NONE
  const always = ['threads', ...GATHERED.map(({ id }) => id), 'reminders', 'drafts']
  return [...always, ...(invited ? ['invites'] : []), ...(outbox ? ['outbox'] : [])]
}

/** A guest has none of these views, because the server stores nothing for guests. */
const NONE: readonly string[] = []

/** Number of reminders that are due, updated when one becomes due. */
export function useDueCount(): number {
  const times = useAppSelector(selectReminderTimes)
  return dueCount(times, useReminderClock(times))
}

type Props = { readonly tabIndexOf: (id: string) => 0 | -1 }

export function TopRows({ tabIndexOf }: Props) {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const drafts = useAppSelector(selectDraftCount)
  const outbox = useAppSelector(selectOutboxCount)
  const invites = useInvites().length
  const onDrafts = useAppSelector((state) => state.ui.route.view === 'drafts')
  if (!useCanParticipate()) return null
  return (
    <ul>
      <li>
        <ThreadsRow tabIndex={tabIndexOf('threads')} />
      </li>
      {GATHERED.map((place) => (
        <li key={place.id}>
          <ViewRow place={place} tabIndex={tabIndexOf(place.id)} />
        </li>
      ))}
      <li>
        <RemindersRow tabIndex={tabIndexOf('reminders')} />
      </li>
      <li>
        <button
          type="button"
          role="link"
          className={styles['row']}
          tabIndex={tabIndexOf('drafts')}
          data-roving-id="drafts"
          aria-current={onDrafts ? 'page' : undefined}
          aria-label={drafts > 0 ? t('drafts.label', { count: drafts }) : t('drafts.title')}
          onClick={() => dispatch(routeOpened({ view: 'drafts' }))}
        >
          <Icon name="draft" />
          <span className={styles['name']}>{t('drafts.title')}</span>
          {drafts > 0 ? <span className={cx(styles['end'], styles['words'])}>{drafts}</span> : null}
        </button>
      </li>
      {invites > 0 ? (
        <li>
          <button
            type="button"
            role="link"
            className={cx(styles['row'], styles['unread'])}
            tabIndex={tabIndexOf('invites')}
            data-roving-id="invites"
            aria-label={t('invites.label', { count: invites })}
            onClick={() => dispatch(routeOpened({ view: 'browse' }))}
          >
            <Icon name="user-plus" />
            <span className={styles['name']}>{t('invites.title')}</span>
            <span className={styles['end']}>
              <Count value={invites} tone="mention" />
            </span>
          </button>
        </li>
      ) : null}
      {outbox > 0 ? (
        <li>
          <button
            type="button"
            className={styles['row']}
            tabIndex={tabIndexOf('outbox')}
            data-roving-id="outbox"
            aria-label={t('outbox.label', { count: outbox })}
            onClick={() => dispatch(panelOpened({ kind: 'outbox' }))}
          >
            <Icon name="outbox" />
            <span className={styles['name']}>{t('outbox.title')}</span>
            <span className={cx(styles['end'], styles['alert'])}>{outbox}</span>
          </button>
        </li>
      ) : null}
    </ul>
  )
}

/** Threads with something unread. */
export const selectUnreadThreads = (state: AppState): number => state.entities.inbox['self']?.unreadThreads ?? 0

function ThreadsRow({ tabIndex }: { readonly tabIndex: 0 | -1 }) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const unread = useAppSelector(selectUnreadThreads)
  const isOpen = useAppSelector((state) => state.ui.route.view === 'threads')
  return (
    <button
      type="button"
      role="link"
      className={cx(styles['row'], unread > 0 && styles['unread'])}
      tabIndex={tabIndex}
      data-roving-id="threads"
      aria-current={isOpen ? 'page' : undefined}
      aria-label={unread > 0 ? t('inbox.sidebar', { count: unread }) : t('inbox.title')}
      onClick={() => dispatch(routeOpened({ view: 'threads' }))}
    >
      <Icon name="thread" />
      <span className={styles['name']}>{t('inbox.title')}</span>
      {unread > 0 ? (
        <span className={styles['end']}>
          <Count value={unread} />
        </span>
      ) : null}
    </button>
  )
}

/** Shows a text instead of a number: "1 due". */
function RemindersRow({ tabIndex }: { readonly tabIndex: 0 | -1 }) {
  const t = useTexts('reminders')
  const dispatch = useAppDispatch()
  const due = useDueCount()
  const isOpen = useAppSelector((state) => state.ui.route.view === 'reminders')
  return (
    <button
      type="button"
      role="link"
      className={styles['row']}
      tabIndex={tabIndex}
      data-roving-id="reminders"
      aria-current={isOpen ? 'page' : undefined}
      aria-label={due > 0 ? t('sidebar', { count: due }) : t('title')}
      onClick={() => dispatch(routeOpened({ view: 'reminders' }))}
    >
      <Icon name="alarm" />
      <span className={styles['name']}>{t('title')}</span>
      {due > 0 && !isOpen ? (
        <span className={cx(styles['end'], styles['alert'])}>{t('due', { count: due })}</span>
      ) : null}
    </button>
  )
}
