import { shallowEqual } from 'react-redux'
import { useEffect, memo, type KeyboardEvent, type ReactNode } from 'react'
import type { ChannelInvite, Channel } from '#shared/domain/channel.ts'
import type { Cid } from '#shared/lib/brand.ts'
import type { Section } from '#shared/rules/channels/sidebar.ts'
import type { SectionName } from '#shared/domain/settings.ts'
import { cx } from '../../lib/cx.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { type SidebarRow, type SidebarRowContent, useRegistry } from '../../registry/feature.ts'
import {
  useAppDispatch,
  useAppSelector,
  useAttachCount,
  useCanParticipate,
  useConnection,
  useSetting,
} from '../../store/hooks.ts'
import { selectCanParticipate } from '../../store/selectors.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Count } from '../../ui/Mark/Mark.tsx'
import { useTexts } from '../../i18n/index.ts'
import { useMenuOf } from '../../ui/Menu/Menu.tsx'
import { Portrait, presenceOf } from '../people/index.ts'
import { TypingDots } from '../typing/index.ts'
import { openChannel, useOpening } from '../windows/index.ts'
import { IconButton } from '../../ui/Button/Button.tsx'
import { updateSettings } from '../settings/index.ts'
import { loadInvites } from './commands.ts'
import { useAnnouncedNudge, type Dragging } from './arranging.ts'
import { forYouOf, isLoud, useRow, useSectionTitles } from './selectors.ts'
import { RowMenu, SectionMenu } from './parts.ts'
import styles from './Sidebar.module.css'

/** The rows above the sections. A guest has none, because the server stores nothing for guests. */
export function useTopRows(): readonly SidebarRow[] {
  const { sidebar } = useRegistry()
  useLoadInvites()
  return useAppSelector(
    (state) =>
      selectCanParticipate(state)
        ? sidebar.filter(({ under, shown }) => under === undefined && shown?.(state) !== false)
        : NONE,
    shallowEqual,
  )
}

const NONE: readonly SidebarRow[] = []

/** Whether the view of a row, or of a tab under it, is open. */
export function useIsOpen(row: SidebarRow): boolean {
  const { sidebar } = useRegistry()
  return useAppSelector(({ ui }) =>
    sidebar.some(({ id, under, view }) => (id === row.id || under === row.id) && view === ui.route.view),
  )
}

/** The places under one row of the sidebar, as tabs above each of their views. */
export function PlaceTabs({ of }: { readonly of: string }) {
  const { sidebar } = useRegistry()
  const parent = sidebar.find(({ id }) => id === of)
  const places = useAppSelector(
    (state) =>
      sidebar.filter(
        ({ id, under, view, shown }) => (under === of || (id === of && view !== undefined)) && shown?.(state) !== false,
      ),
    shallowEqual,
  )
  const roving = useRoving({ ids: places.map(({ id }) => id), orientation: 'horizontal', wrap: true })
  const { ref, ...listeners } = roving.containerProps
  const canParticipate = useCanParticipate()
  if (parent === undefined || !canParticipate) return null
  return (
    <parent.Content>
      {({ title }) => (
        <nav aria-label={title} className={styles['tabs']}>
          <ul
            ref={(element) => {
              ref.current = element
            }}
            {...listeners}
          >
            {places.map((place) => (
              <li key={place.id}>
                <PlaceTab place={place} item={roving.itemProps(place.id)} />
              </li>
            ))}
          </ul>
        </nav>
      )}
    </parent.Content>
  )
}

type PlaceTabProps = {
  readonly place: SidebarRow
  readonly item: ReturnType<ReturnType<typeof useRoving>['itemProps']>
}

function PlaceTab({ place, item }: PlaceTabProps) {
  const dispatch = useAppDispatch()
  const isOpen = useAppSelector(({ ui }) => ui.route.view === place.view)
  return (
    <place.Content>
      {({ title, label, end }) => (
        <button
          type="button"
          role={routeOpened.match(place.open) ? 'link' : undefined}
          className={styles['tab']}
          aria-current={isOpen ? 'page' : undefined}
          aria-label={label}
          {...item}
          onClick={() => dispatch(place.open)}
        >
          <Icon name={place.icon} size={15} />
          {title}
          {end === undefined ? null : <End end={end} />}
        </button>
      )}
    </place.Content>
  )
}

type Props = { readonly rows: readonly SidebarRow[]; readonly tabIndexOf: (id: string) => 0 | -1 }

export function TopRows({ rows, tabIndexOf }: Props) {
  if (rows.length === 0) return null
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.id}>
          <TopRow row={row} tabIndex={tabIndexOf(row.id)} />
        </li>
      ))}
    </ul>
  )
}

function TopRow({ row, tabIndex }: { readonly row: SidebarRow; readonly tabIndex: 0 | -1 }) {
  const dispatch = useAppDispatch()
  const isOpen = useIsOpen(row)
  return (
    <row.Content>
      {({ title, label, end }) => (
        <button
          type="button"
          role={routeOpened.match(row.open) ? 'link' : undefined}
          className={cx(styles['row'], end !== undefined && 'count' in end && styles['unread'])}
          tabIndex={tabIndex}
          data-roving-id={row.id}
          aria-current={isOpen ? 'page' : undefined}
          aria-label={label}
          onClick={() => dispatch(row.open)}
        >
          <Icon name={row.icon} />
          <span className={styles['name']}>{title}</span>
          {end === undefined ? null : <End end={end} />}
        </button>
      )}
    </row.Content>
  )
}

function End({ end }: { readonly end: NonNullable<SidebarRowContent['end']> }) {
  if ('text' in end) return <span className={cx(styles['end'], styles[END_STYLES[end.tone]])}>{end.text}</span>
  return (
    <span className={styles['end']}>
      <Count value={end.count} tone={end.tone} />
    </span>
  )
}

const END_STYLES = { quiet: 'count', alert: 'alert' } as const

const NO_INVITES: readonly ChannelInvite[] = []

/** The viewer's pending invitations, as far as loaded. */
export const useInvites = (): readonly ChannelInvite[] =>
  useAppSelector(({ entities }) => entities.inbox['self']?.invites) ?? NO_INVITES

/** Loads invitations at every new connection, because no event reports those sent while offline. */
function useLoadInvites(): void {
  const dispatch = useAppDispatch()
  const { state } = useConnection()
  const attached = useAttachCount()
  useEffect(() => {
    if (attached >= 0 && state === 'healthy') void dispatch(loadInvites(undefined))
  }, [dispatch, state, attached])
}

type ChannelRowProps = {
  readonly cid: Cid
  readonly tabIndex: 0 | -1
}

/** One conversation in the sidebar. */
const ChannelRow = memo(function ChannelRow({ cid, tabIndex }: ChannelRowProps) {
  const { channel, title, other, isOpen, isTyping, link } = useRow(cid)
  const dispatch = useAppDispatch()
  const opening = useOpening()
  const label = useRowLabel(channel, title)
  const menu = useMenuOf((anchor, onClose) => <RowMenu cid={cid} label={title} anchor={anchor} onClose={onClose} />)
  if (channel === undefined) return null
  const unread = isLoud(channel)
  return (
    <>
      <a
        href={link}
        draggable={false}
        tabIndex={tabIndex}
        data-roving-id={cid}
        data-channel-item={cid}
        aria-current={isOpen ? 'page' : undefined}
        aria-label={label}
        className={cx(styles['row'], unread && !isOpen && styles['unread'], channel.muted && styles['muted'])}
        {...opening((way) => dispatch(openChannel(cid, way)))}
        onContextMenu={menu.onContextMenu}
      >
        {other === undefined ? (
          <Icon name={channel.directUserIds.length > 0 ? 'users' : channel.isPrivate ? 'lock' : 'hash'} />
        ) : (
          <Portrait userId={other.id} size={20} presence={presenceOf(other)} />
        )}
        <span className={styles['name']}>{title}</span>
        <RowEnd channel={channel} isTyping={isTyping} isOpen={isOpen} />
      </a>
      {menu.menu}
    </>
  )
})

type EndProps = { readonly channel: Channel; readonly isTyping: boolean; readonly isOpen: boolean }

/** At most two badges, in the order typing, queued, draft, muted, count; a count is always last. */
function RowEnd({ channel, isTyping, isOpen }: EndProps) {
  const forYou = forYouOf(channel)
  const count = forYou > 0 ? forYou : channel.muted || isTyping ? 0 : channel.unread
  const marks = [
    isTyping && !isOpen ? <TypingDots key="typing" /> : null,
    channel.queuedCount > 0 ? <Icon key="queued" name="clock" size={15} /> : null,
    channel.hasDraft && !isOpen ? <Icon key="draft" name="pencil" size={15} /> : null,
    channel.muted ? <Icon key="muted" name="bell-off" size={15} /> : null,
  ].filter((mark) => mark !== null)
  const shown = isOpen && forYou === 0 ? 0 : count
  if (marks.length === 0 && shown === 0) return null
  return (
    <span className={styles['end']}>
      {marks.slice(0, shown > 0 ? 1 : 2)}
      {shown > 0 ? <Count value={shown} tone={forYou > 0 ? 'mention' : 'unread'} /> : null}
    </span>
  )
}

/** Accessible name with all badges: "support-triage, 2 mentions, draft". */
function useRowLabel(channel: Channel | undefined, title: string): string {
  const t = useTexts('sidebar')
  if (channel === undefined) return title
  const isDirect = channel.directUserIds.length > 0
  const mentions = isDirect ? 0 : channel.unreadMentions
  return [
    title,
    channel.isPrivate && !isDirect ? t('row.private') : '',
    mentions > 0 ? t('row.mentions', { count: mentions }) : '',
    channel.unread > 0 && mentions === 0 ? t('row.unread', { count: channel.unread }) : '',
    channel.hasDraft ? t('row.draft') : '',
    channel.queuedCount > 0 ? t('row.queued', { count: channel.queuedCount }) : '',
    channel.muted ? t('row.muted') : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}

type RowFrameProps = {
  readonly cid: Cid
  readonly section: Section
  readonly tabIndex: 0 | -1
  readonly dragging: Dragging
}

/** A row that can be moved by dragging, or by Ctrl+Shift and the arrow keys. */
export const RowFrame = memo(function RowFrame({ cid, section, tabIndex, dragging }: RowFrameProps) {
  const onKeyDown = useNudge(cid)
  return (
    <li className={styles['item']} onKeyDown={onKeyDown} {...dragging.row(cid, section)}>
      <ChannelRow cid={cid} tabIndex={tabIndex} />
    </li>
  )
})

function useNudge(cid: Cid): (event: KeyboardEvent<HTMLElement>) => void {
  const nudge = useAnnouncedNudge(cid)
  return (event) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
    if (by === undefined || !event.shiftKey || event.altKey || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void nudge(by)
  }
}

type SectionHeadProps = {
  readonly name: SectionName
  readonly isClosed: boolean
  readonly cids: readonly string[]
  readonly children: ReactNode
}

/** Heading of a section; collapses and expands it. A collapsed one still shows its mention count. */
export function SectionHead({ name, isClosed, cids, children }: SectionHeadProps) {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const closedSections = useSetting('closedSections')
  const title = useSectionTitles()(name)
  const label = t('section.options', { name: title })
  const menu = useMenuOf((anchor, onClose) => (
    <SectionMenu name={name} cids={cids} label={label} anchor={anchor} onClose={onClose} />
  ))
  const forYou = useAppSelector((state) =>
    isClosed
      ? cids.reduce((sum, cid) => {
          const channel = state.entities.channels[cid]
          return channel === undefined ? sum : sum + forYouOf(channel)
        }, 0)
      : 0,
  )
  const toggle = (): void => {
    const others = closedSections.filter((closed) => closed !== name)
    void dispatch(updateSettings({ closedSections: isClosed ? others : [...others, name] }))
  }
  return (
    <div className={styles['head']} onContextMenu={menu.onContextMenu}>
      <h2>
        <button type="button" className={styles['toggle']} aria-expanded={!isClosed} onClick={toggle}>
          <span className="ellipsis">{title}</span>
          <Icon name={isClosed ? 'chevron-right' : 'chevron-down'} size={14} />
        </button>
      </h2>
      {forYou > 0 ? <Count value={forYou} tone="mention" /> : null}
      <span className={styles['options']}>
        <IconButton icon="more" size="tiny" onApp label={label} {...menu.triggerProps} />
      </span>
      {children}
      {menu.menu}
    </div>
  )
}
