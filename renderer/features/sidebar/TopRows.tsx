import { shallowEqual } from 'react-redux'
import { useEffect } from 'react'
import type { ChannelInvite } from '#shared/domain/channel.ts'
import { cx } from '../../lib/cx.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { type SidebarRow, type SidebarRowContent, useRegistry } from '../../registry/feature.ts'
import { useAppDispatch, useAppSelector, useAttachCount, useCanParticipate, useConnection } from '../../store/hooks.ts'
import { selectCanParticipate } from '../../store/selectors.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Count } from '../../ui/Mark/Mark.tsx'
import { loadInvites } from './commands.ts'
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
