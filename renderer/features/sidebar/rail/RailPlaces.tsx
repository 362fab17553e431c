import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useCanParticipate } from '../../../store/hooks.ts'
import { panelOpened, routeOpened } from '../../../store/window/ui.ts'
import { Count } from '../../../ui/Mark/Count.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import type { IconName } from '../../../ui/Icon/icon-names.ts'
import { Tooltip } from '../../../ui/Popover/Tooltip.tsx'
import { selectDraftCount, selectOutboxCount } from '../../../store/composers/unsent.ts'
import { selectUnreadThreads, useDueCount } from '../TopRows.tsx'
import { useInvites } from '../use-invites.ts'
import { GATHERED } from '../ViewRow.tsx'
import styles from './Rail.module.css'

type Props = { readonly tabIndexOf: (id: string) => 0 | -1 }

/** Reminders, drafts and outbox as icons below the search. */
export function RailPlaces({ tabIndexOf }: Props) {
  const t = useTexts('sidebar')
  const thread = useTexts('thread')
  const unreadThreads = useAppSelector(selectUnreadThreads)
  const onThreads = useAppSelector((state) => state.ui.route.view === 'threads')
  const reminders = useTexts('reminders')
  const unread = useTexts('unread')
  const view = useAppSelector((state) => state.ui.route.view)
  const due = useDueCount()
  const onReminders = useAppSelector((state) => state.ui.route.view === 'reminders')
  const dispatch = useAppDispatch()
  const drafts = useAppSelector(selectDraftCount)
  const outbox = useAppSelector(selectOutboxCount)
  const invites = useInvites().length
  const onDrafts = useAppSelector((state) => state.ui.route.view === 'drafts')
  if (!useCanParticipate()) return null
  return (
    <>
      <Place
        id="threads"
        icon="thread"
        label={unreadThreads > 0 ? thread('inbox.sidebar', { count: unreadThreads }) : thread('inbox.title')}
        count={unreadThreads}
        isOpen={onThreads}
        tabIndex={tabIndexOf('threads')}
        onPress={() => dispatch(routeOpened({ view: 'threads' }))}
      />
      {GATHERED.map(({ id, icon, title }) => (
        <Place
          key={id}
          id={id}
          icon={icon}
          label={unread(title)}
          count={0}
          isOpen={view === id}
          tabIndex={tabIndexOf(id)}
          onPress={() => dispatch(routeOpened({ view: id }))}
        />
      ))}
      <Place
        id="reminders"
        icon="alarm"
        label={due > 0 ? reminders('sidebar', { count: due }) : reminders('title')}
        count={due}
        isOpen={onReminders}
        tabIndex={tabIndexOf('reminders')}
        onPress={() => dispatch(routeOpened({ view: 'reminders' }))}
      />
      <Place
        id="drafts"
        icon="draft"
        label={drafts > 0 ? t('drafts.label', { count: drafts }) : t('drafts.title')}
        count={drafts}
        isOpen={onDrafts}
        tabIndex={tabIndexOf('drafts')}
        onPress={() => dispatch(routeOpened({ view: 'drafts' }))}
      />
      {invites === 0 ? null : (
        <Place
          id="invites"
          icon="user-plus"
          label={t('invites.label', { count: invites })}
          count={invites}
          tabIndex={tabIndexOf('invites')}
          onPress={() => dispatch(routeOpened({ view: 'browse' }))}
        />
      )}
      {outbox === 0 ? null : (
        <Place
          id="outbox"
          icon="outbox"
          label={t('outbox.label', { count: outbox })}
          count={outbox}
          tabIndex={tabIndexOf('outbox')}
          onPress={() => dispatch(panelOpened({ kind: 'outbox' }))}
        />
      )}
    </>
  )
}

type PlaceProps = {
  readonly id: string
  readonly icon: IconName
  readonly label: string
  readonly count: number
  readonly isOpen?: boolean
  readonly tabIndex: 0 | -1
  readonly onPress: () => void
}

function Place({ id, icon, label, count, isOpen = false, tabIndex, onPress }: PlaceProps) {
  return (
    <Tooltip text={label} side="end">
      <button
        type="button"
        className={styles['item']}
        tabIndex={tabIndex}
        data-roving-id={id}
        aria-current={isOpen ? 'page' : undefined}
        aria-label={label}
        onClick={onPress}
      >
        <Icon name={icon} size={19} />
        {count === 0 ? null : (
          <span className={styles['corner']}>
            <Count value={count} />
          </span>
        )}
      </button>
    </Tooltip>
  )
}
