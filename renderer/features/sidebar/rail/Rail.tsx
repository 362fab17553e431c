import { asCid } from '#shared/lib/brand.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useAppDispatch, useAppSelector, useConnection, useMe } from '../../../store/hooks.ts'
import { selectOpenCid } from '../../../store/selectors.ts'
import { dialogOpened, routeOpened } from '../../../store/window/ui.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Tooltip } from '../../../ui/Popover/Tooltip.tsx'
import { Portrait } from '../../people/index.ts'
import { RailItem } from './RailItem.tsx'
import { RailPlaces } from './RailPlaces.tsx'
import { selectSections } from '../selectors.ts'
import { useSectionTitles } from '../use-section-title.ts'
import { useSteady } from '../use-steady.ts'
import { useTopRows } from '../TopRows.tsx'
import styles from './Rail.module.css'

/** The sidebar as icons: two letters for channels, portraits for people, counts on the corner. */
export function Rail() {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const me = useMe()
  const sections = useAppSelector(selectSections)
  const openCid = useAppSelector(selectOpenCid)
  const rows = useTopRows()
  const ids = ['search', ...rows.map(({ id }) => id), ...sections.flatMap((section) => section.cids), 'me']
  const { state, offline } = useConnection()
  const presence = offline || state === 'connecting' ? 'offline' : 'online'
  const roving = useRoving({ ids, initialId: openCid })
  const { ref, ...listeners } = roving.containerProps
  const titleOf = useSectionTitles()
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
        <div className={styles['scroll']}>
          {sections.map((section) => (
            <ul key={section.name} aria-label={titleOf(section.name)}>
              {section.cids.map((cid) => (
                <li key={cid}>
                  <RailItem cid={asCid(cid)} tabIndex={roving.itemProps(cid).tabIndex} />
                </li>
              ))}
            </ul>
          ))}
        </div>
        {me === undefined ? null : (
          <Tooltip text={t('me.settingsOf', { name: me.name })} side="end">
            <button
              type="button"
              className={styles['item']}
              aria-label={t('me.settingsOf', { name: me.name })}
              {...roving.itemProps('me')}
              onClick={() => dispatch(routeOpened({ view: 'settings', section: 'appearance' }))}
            >
              <Portrait userId={me.id} size={32} presence={presence} />
            </button>
          </Tooltip>
        )}
      </div>
    </nav>
  )
}
