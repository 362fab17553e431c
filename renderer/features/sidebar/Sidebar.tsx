import type { ReactNode } from 'react'
import { asCid } from '#shared/lib/brand.ts'
import type { SectionName } from '#shared/domain/settings.ts'
import { GENERAL_CID } from '#shared/rules/channels/channels.ts'
import type { Section } from '#shared/rules/channels/sidebar.ts'
import { useTexts } from '../../i18n/index.ts'
import { useDelayed } from '../../lib/time/clocks.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { spokenKeys } from '../../lib/text/chords.ts'
import {
  useAppDispatch,
  useAppSelector,
  useCanParticipate,
  useChannel,
  useHost,
  useSession,
  useSetting,
  useWindow,
} from '../../store/hooks.ts'
import { selectOpenCid } from '../../store/selectors.ts'
import { dialogOpened, routeOpened } from '../../store/window/ui.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import { Empty, Skeleton } from '../../ui/View/Empty.tsx'
import { useShortcut } from '../../app/keys/shortcuts.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Keys } from '../../ui/Keys/Keys.tsx'
import { SKELETON_DELAY_MS, LoadingText } from '../connection/index.ts'
import { reloadChannels } from './commands.ts'
import { MeBar } from './MeBar.tsx'
import { isFolder, selectPlan, selectSections, useSteady, moreId, useListed } from './selectors.ts'
import { TopRows, useTopRows, RowFrame, SectionHead } from './rows.tsx'
import { useDragging, type Dragging, arrange } from './arranging.ts'
import styles from './Sidebar.module.css'

/** The full-width sidebar: search, views, conversations by section, and the viewer. */
export function Sidebar() {
  const t = useTexts('sidebar')
  const window = useWindow('channels')
  const waiting = window === undefined || (window.loading === 'initial' && window.ids.length === 0)
  const showSkeleton = useDelayed(waiting, SKELETON_DELAY_MS)
  return (
    <nav className={styles['sidebar']} aria-label={t('workspace')} data-region="sidebar" aria-busy={waiting}>
      <div className={styles['find']}>
        <SearchField />
        <NewMessage />
      </div>
      {showSkeleton ? <SidebarSkeleton /> : waiting ? <div className={styles['scroll']} /> : <Conversations />}
      <MeBar />
    </nav>
  )
}

function Conversations() {
  const t = useTexts('sidebar')
  const sections = useAppSelector(selectSections)
  const closed = useSetting('closedSections')
  const openCid = useAppSelector(selectOpenCid)
  const rows = useTopRows()
  const failed = useWindow('channels')?.error
  const { unreadOnly } = useAppSelector(selectPlan)
  const canParticipate = useCanParticipate()
  const empty = canParticipate && !unreadOnly ? EMPTY : NO_SECTIONS
  const { listed: drawn, more } = useListed([
    ...sections,
    ...empty.filter(({ name }) => sections.every((section) => section.name !== name)),
  ])
  const hasBrowse = canParticipate && !unreadOnly && !closed.includes('channels')
  const hasInvite = useAsksForPeople() && canParticipate && !unreadOnly && !closed.includes('direct')
  const ids = [
    ...rows.map(({ id }) => id),
    ...drawn.flatMap(({ name, cids, listed }) => [
      ...(closed.includes(name) ? cids.filter((cid) => cid === openCid) : listed),
      ...(listed.length < cids.length && !closed.includes(name) ? [moreId(name)] : []),
      ...(name === 'channels' && hasBrowse ? [BROWSE] : []),
      ...(name === 'direct' && hasInvite ? [INVITE] : []),
    ]),
  ]
  const roving = useRoving({ ids, initialId: openCid })
  const { ref, ...listeners } = roving.containerProps
  const steady = useSteady()
  const dragging = useDragging()
  const draw = (section: (typeof drawn)[number]) => (
    <SectionGroup
      key={section.name}
      section={section}
      listed={section.listed}
      onMore={() => more(section.name)}
      isClosed={closed.includes(section.name)}
      openCid={openCid}
      dragging={dragging}
      tabIndexOf={(id) => roving.itemProps(id).tabIndex}
    >
      {section.name === 'channels' && hasBrowse ? <BrowseRow tabIndex={roving.itemProps(BROWSE).tabIndex} /> : null}
      {section.name === 'direct' && hasInvite ? <InviteRow tabIndex={roving.itemProps(INVITE).tabIndex} /> : null}
    </SectionGroup>
  )
  if (failed !== undefined && sections.length === 0) return <LoadFailed />
  return (
    <div
      ref={(element) => {
        ref.current = element
      }}
      role="presentation"
      className={styles['scroll']}
      onKeyDown={listeners.onKeyDown}
      onFocus={(event) => {
        listeners.onFocus(event)
        steady.onFocus()
      }}
      onBlur={steady.onBlur}
      onPointerEnter={steady.onPointerEnter}
      onPointerLeave={steady.onPointerLeave}
      onDragEnd={dragging.onLeave}
      onDragLeave={(event) => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) {
          dragging.onLeave()
        }
      }}
    >
      <TopRows rows={rows} tabIndexOf={(id) => roving.itemProps(id).tabIndex} />
      <UnreadOnlyBar />
      {drawn.map(draw)}
      {unreadOnly && sections.length === 0 ? <p className={styles['nothing']}>{t('filter.none')}</p> : null}
    </div>
  )
}

/** Sections shown even when empty, because their button creates the first conversation. */
const EMPTY: readonly Section[] = [
  { name: 'channels', cids: [] },
  { name: 'direct', cids: [] },
]

/** A guest cannot create conversations. */
const NO_SECTIONS: readonly Section[] = []

type GroupProps = {
  readonly section: Section
  readonly listed: readonly string[]
  readonly onMore: () => void
  readonly isClosed: boolean
  readonly openCid: string | undefined
  readonly dragging: Dragging
  readonly tabIndexOf: (id: string) => 0 | -1
  /** After its conversations. */
  readonly children: ReactNode
}

/** A collapsed section still shows the open conversation. */
function SectionGroup({ section, listed, onMore, isClosed, openCid, dragging, tabIndexOf, children }: GroupProps) {
  const t = useTexts('sidebar')
  const { name } = section
  const cids = isClosed ? section.cids.filter((cid) => cid === openCid) : listed
  const hidden = section.cids.length - listed.length
  return (
    <section className={styles['section']} {...dragging.section(name)}>
      <SectionHead name={name} isClosed={isClosed} cids={section.cids}>
        <AddButton name={name} />
      </SectionHead>
      <ul>
        {cids.map((cid) => (
          <RowFrame key={cid} cid={asCid(cid)} section={section} tabIndex={tabIndexOf(cid)} dragging={dragging} />
        ))}
      </ul>
      {hidden > 0 && !isClosed ? (
        <button
          type="button"
          className={`${styles['row']} ${styles['faint']}`}
          tabIndex={tabIndexOf(moreId(name))}
          data-roving-id={moreId(name)}
          onClick={onMore}
        >
          <Icon name="chevron-down" />
          <span className={styles['name']}>{t('more', { hidden })}</span>
        </button>
      ) : null}
      {children}
      {isFolder(name) && section.cids.length === 0 && !isClosed ? (
        <p className={styles['nothing']}>{t('section.empty')}</p>
      ) : null}
    </section>
  )
}

/** Its place among the rows that arrow keys walk. */
const BROWSE = 'browse-channels'

/** The last row of the channels: those that the viewer has not joined are one press away. */
function BrowseRow({ tabIndex }: { readonly tabIndex: 0 | -1 }) {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const isOpen = useAppSelector(({ ui }) => ui.route.view === 'browse')
  return (
    <button
      type="button"
      role="link"
      className={`${styles['row']} ${styles['faint']}`}
      tabIndex={tabIndex}
      data-roving-id={BROWSE}
      aria-current={isOpen ? 'page' : undefined}
      onClick={() => dispatch(routeOpened({ view: 'browse' }))}
    >
      <Icon name="browse" />
      <span className={styles['name']}>{t('browse')}</span>
    </button>
  )
}

const INVITE = 'invite-people'
/** With this many people a workspace is under way. */
const ENOUGH_PEOPLE = 3

/** In an own workspace, where people are added on this device. */
function useAsksForPeople(): boolean {
  const { workspace } = useSession()
  const { capabilities } = useHost()
  const members = useChannel(GENERAL_CID)?.memberCount
  return (
    workspace?.kind === 'local' &&
    !workspace.demo &&
    capabilities.severalWindows &&
    members !== undefined &&
    members < ENOUGH_PEOPLE
  )
}

/** The last row of the direct messages, until there are enough people to write to. */
function InviteRow({ tabIndex }: { readonly tabIndex: 0 | -1 }) {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  return (
    <button
      type="button"
      className={`${styles['row']} ${styles['faint']}`}
      tabIndex={tabIndex}
      data-roving-id={INVITE}
      aria-haspopup="dialog"
      onClick={() => dispatch(dialogOpened({ kind: 'open-as', adding: true }))}
    >
      <Icon name="user-plus" />
      <span className={styles['name']}>{t('invite')}</span>
    </button>
  )
}

function AddButton({ name }: { readonly name: SectionName }) {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  if (!useCanParticipate()) return null
  if (name === 'channels') {
    return (
      <IconButton
        icon="plus"
        size="tiny"
        onApp
        label={t('newChannel')}
        onClick={() => dispatch(dialogOpened({ kind: 'new-channel' }))}
      />
    )
  }
  if (name === 'direct') {
    return (
      <IconButton
        icon="plus"
        size="tiny"
        onApp
        label={t('newMessage')}
        onClick={() => dispatch(dialogOpened({ kind: 'new-direct' }))}
      />
    )
  }
  return null
}

function LoadFailed() {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  return (
    <div className={styles['scroll']}>
      <Empty
        scene="offline"
        title={t('failed.title')}
        action={
          <Button variant="primary" onClick={() => void dispatch(reloadChannels(undefined))}>
            {t('failed.again')}
          </Button>
        }
      >
        {t('failed.text')}
      </Empty>
    </div>
  )
}

const CHANNEL_WIDTHS = [120, 96, 140, 84, 132, 104, 150, 76]
const DIRECT_WIDTHS = [110, 130, 98, 124]

/** Placeholder while nothing is cached. */
function SidebarSkeleton() {
  const t = useTexts('sidebar')
  return (
    <div className={styles['scroll']}>
      <LoadingText what={t('loading')} />
      <div className={styles['skeletonHead']}>{t('sections.channels')}</div>
      {CHANNEL_WIDTHS.map((width) => (
        <div key={width} className={styles['skeletonRow']}>
          <Skeleton width={18} height={18} />
          <Skeleton width={width} />
        </div>
      ))}
      <div className={styles['skeletonHead']}>{t('sections.direct')}</div>
      {DIRECT_WIDTHS.map((width) => (
        <div key={width} className={styles['skeletonRow']}>
          <Skeleton width={20} height={20} arch />
          <Skeleton width={width} />
        </div>
      ))}
    </div>
  )
}

/** Looks like a field, opens the quick switcher. */
function SearchField() {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const keys = useShortcut('switcher')
  return (
    <button
      type="button"
      className={styles['search']}
      aria-keyshortcuts={spokenKeys(keys)}
      onClick={() => dispatch(dialogOpened({ kind: 'switcher' }))}
    >
      <Icon name="search" size={16} />
      <span className={styles['searchLabel']}>{t('search')}</span>
      <span aria-hidden="true">
        <Keys keys={keys} />
      </span>
    </button>
  )
}

/** Beside the search field, where it never scrolls away. */
function NewMessage() {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const keys = useShortcut('newMessage')
  if (!useCanParticipate()) return null
  return (
    <IconButton
      icon="draft"
      onApp
      label={t('newMessage')}
      keys={keys}
      onClick={() => dispatch(dialogOpened({ kind: 'new-direct' }))}
    />
  )
}

/** Shown while only unread conversations are listed, with a button to show all. */
function UnreadOnlyBar() {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const { unreadOnly } = useAppSelector(selectPlan)
  if (!unreadOnly) return null
  return (
    <button
      type="button"
      className={styles['filter']}
      aria-pressed="true"
      onClick={() => void dispatch(arrange((plan) => ({ ...plan, unreadOnly: false })))}
    >
      <Icon name="filter" size={15} />
      <span className={styles['searchLabel']}>{t('filter.only')}</span>
      <Icon name="x" size={15} />
    </button>
  )
}
