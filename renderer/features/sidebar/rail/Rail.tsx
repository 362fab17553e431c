import { memo } from 'react'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import type { Channel } from '#shared/domain/channel.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useAppDispatch, useAppSelector, useMe } from '../../../store/hooks.ts'
import { selectOpenCid } from '../../../store/selectors.ts'
import { dialogOpened, routeOpened } from '../../../store/window/ui.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Tooltip } from '../../../ui/Popover/Popover.tsx'
import type { SidebarRow } from '../../../registry/feature.ts'
import { Count } from '../../../ui/Mark/Mark.tsx'
import { twoLetters } from '../../../ui/Avatar/Avatar.tsx'
import { Portrait, presenceOf } from '../../people/index.ts'
import { openChannel, useOpening } from '../../windows/index.ts'
import {
  selectSections,
  useSectionTitles,
  useRow,
  forYouOf,
  isLoud,
  useSteady,
  moreId,
  useListed,
  type ListedSection,
} from '../selectors.ts'
import { useOwnPresence } from '../MeBar.tsx'
import { useTopRows, useIsOpen } from '../rows.tsx'
import styles from './Rail.module.css'

/** The sidebar as icons: two letters for channels, portraits for people, counts on the corner. */
export function Rail() {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const me = useMe()
  const { listed: sections, more } = useListed(useAppSelector(selectSections))
  const openCid = useAppSelector(selectOpenCid)
  const rows = useTopRows()
  const shown = sections.flatMap(({ name, cids, listed }) => [
    ...listed,
    ...(listed.length < cids.length ? [moreId(name)] : []),
  ])
  const ids = ['search', ...rows.map(({ id }) => id), ...shown, 'me']
  const { disc } = useOwnPresence()
  const roving = useRoving({ ids, initialId: openCid })
  const { ref, ...listeners } = roving.containerProps
  const steady = useSteady()
  return (
    <nav className={styles['rail']} aria-label={t('workspace')} data-region="sidebar">
      <div
        ref={(element) => {
          ref.current = element
        }}
        role="presentation"
        className={styles['column']}
        onKeyDown={listeners.onKeyDown}
        onFocus={(event) => {
          listeners.onFocus(event)
          steady.onFocus()
        }}
        onBlur={steady.onBlur}
        onPointerEnter={steady.onPointerEnter}
        onPointerLeave={steady.onPointerLeave}
      >
        <Tooltip text={t('search')} side="end">
          <button
            type="button"
            className={styles['item']}
            aria-label={t('search')}
            {...roving.itemProps('search')}
            onClick={() => dispatch(dialogOpened({ kind: 'switcher' }))}
          >
            <Icon name="search" size={19} />
          </button>
        </Tooltip>
        <RailPlaces rows={rows} tabIndexOf={(id) => roving.itemProps(id).tabIndex} />
        <RailSections sections={sections} onMore={more} itemOf={roving.itemProps} />
        {me === undefined ? null : (
          <Tooltip text={t('me.settingsOf', { name: me.name })} side="end">
            <button
              type="button"
              className={styles['item']}
              aria-label={t('me.settingsOf', { name: me.name })}
              {...roving.itemProps('me')}
              onClick={() => dispatch(routeOpened({ view: 'settings', section: 'appearance' }))}
            >
              <Portrait userId={me.id} size={32} presence={disc} />
            </button>
          </Tooltip>
        )}
      </div>
    </nav>
  )
}

type SectionsProps = {
  readonly sections: readonly ListedSection[]
  readonly onMore: (name: string) => void
  readonly itemOf: (id: string) => MoreProps['item']
}

function RailSections({ sections, onMore, itemOf }: SectionsProps) {
  const titleOf = useSectionTitles()
  return (
    <div className={styles['scroll']}>
      {sections.map(({ name, cids, listed }) => (
        <ul key={name} aria-label={titleOf(name)}>
          {listed.map((cid) => (
            <li key={cid}>
              <RailItem cid={asCid(cid)} tabIndex={itemOf(cid).tabIndex} />
            </li>
          ))}
          {listed.length < cids.length ? (
            <li>
              <RailMore hidden={cids.length - listed.length} item={itemOf(moreId(name))} onMore={() => onMore(name)} />
            </li>
          ) : null}
        </ul>
      ))}
    </div>
  )
}

type MoreProps = {
  readonly hidden: number
  readonly item: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly onMore: () => void
}

function RailMore({ hidden, item, onMore }: MoreProps) {
  const text = useTexts('sidebar')('more', { hidden })
  return (
    <Tooltip text={text} side="end">
      <button type="button" className={styles['item']} aria-label={text} {...item} onClick={onMore}>
        <Icon name="chevron-down" size={19} />
      </button>
    </Tooltip>
  )
}

type Props = { readonly rows: readonly SidebarRow[]; readonly tabIndexOf: (id: string) => 0 | -1 }

/** The rows above the sections as icons below the search. */
function RailPlaces({ rows, tabIndexOf }: Props) {
  return rows.map((row) => <Place key={row.id} row={row} tabIndex={tabIndexOf(row.id)} />)
}

function Place({ row, tabIndex }: { readonly row: SidebarRow; readonly tabIndex: 0 | -1 }) {
  const dispatch = useAppDispatch()
  const isOpen = useIsOpen(row)
  return (
    <row.Content>
      {({ title, label = title, count = 0 }) => (
        <Tooltip text={label} side="end">
          <button
            type="button"
            className={styles['item']}
            tabIndex={tabIndex}
            data-roving-id={row.id}
            aria-current={isOpen ? 'page' : undefined}
            aria-label={label}
            onClick={() => dispatch(row.open)}
          >
            <Icon name={row.icon} size={19} />
            {count === 0 ? null : (
              <span className={styles['corner']}>
                <Count value={count} />
              </span>
            )}
          </button>
        </Tooltip>
      )}
    </row.Content>
  )
}

type RailItemProps = { readonly cid: Cid; readonly tabIndex: 0 | -1 }

/** One conversation in the rail. */
const RailItem = memo(function RailItem({ cid, tabIndex }: RailItemProps) {
  const { channel, title, other, isOpen, link } = useRow(cid)
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const opening = useOpening()
  if (channel === undefined) return null
  const forYou = forYouOf(channel)
  const label =
    forYou > 0
      ? `${title}, ${t('row.mentions', { count: forYou })}`
      : channel.unread > 0
        ? `${title}, ${t('row.unread', { count: channel.unread })}`
        : title
  return (
    <Tooltip text={label} side="end">
      <a
        href={link}
        draggable={false}
        className={styles['item']}
        tabIndex={tabIndex}
        data-roving-id={cid}
        data-channel-item={cid}
        aria-current={isOpen ? 'page' : undefined}
        aria-label={label}
        {...opening((way) => dispatch(openChannel(cid, way)))}
      >
        {other === undefined ? (
          <span className={styles['letters']}>{twoLetters(title)}</span>
        ) : (
          <Portrait userId={other.id} size={28} presence={presenceOf(other)} />
        )}
        <Corner channel={channel} forYou={forYou} />
      </a>
    </Tooltip>
  )
})

function Corner({ channel, forYou }: { readonly channel: Channel; readonly forYou: number }) {
  if (!isLoud(channel)) return null
  return (
    <span className={styles['corner']}>
      <Count value={forYou > 0 ? forYou : channel.unread} tone={forYou > 0 ? 'mention' : 'unread'} />
    </span>
  )
}
