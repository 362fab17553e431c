import { useState } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { useAppDispatch, useHost, useSession } from '../../store/hooks.ts'
import { routeOpened, type SettingsSection } from '../../store/window/ui.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { FindField } from '../../ui/Field/FindField.tsx'
import { FoundList } from './find/FoundList.tsx'
import { useFoundSettings } from './find/use-rows.ts'
import type { ShortcutGroup } from './keys/shortcut.ts'
import { useSections } from './use-sections.ts'
import styles from './Settings.module.css'

type Props = {
  readonly section: SettingsSection
  readonly shortcuts: readonly ShortcutGroup[]
  readonly onBack: () => void
}

/** Replaces the sidebar while the settings are open. */
export function SettingsNav({ section, shortcuts, onBack }: Props) {
  const t = useTexts('settings')
  const p = useTexts('preferences')
  const dispatch = useAppDispatch()
  const { version } = useHost()
  const workspace = useSession().workspace?.name ?? 'Parlor'
  const [query, setQuery] = useState('')
  const found = useFoundSettings(query, shortcuts)
  const openFirst = (): void => {
    const first = found[0]
    if (first) dispatch(routeOpened({ view: 'settings', section: first.section, row: first.title }))
  }
  return (
    <nav className={styles['nav']} aria-label={t('title')} data-region="sidebar">
      <button type="button" className={styles['navRow']} onClick={onBack}>
        <Icon name="arrow-left" size={17} />
        <span className="ellipsis">{t('backTo', { workspace })}</span>
      </button>
      <h2 className={styles['navHead']}>{t('title')}</h2>
      <div className={styles['navFind']}>
        <FindField label={p('find.label')} value={query} onChange={setQuery} list="nav" onEnter={openFirst} />
      </div>
      {query.trim() === '' ? <Pages section={section} /> : <FoundList found={found} />}
      <div className={styles['navFoot']}>Parlor {version}</div>
    </nav>
  )
}

function Pages({ section }: { readonly section: SettingsSection }) {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const sections = useSections()
  const roving = useRoving({ ids: sections.map(({ name }) => name), initialId: section })
  const { ref, ...listeners } = roving.containerProps
  return (
    <ul
      ref={(element) => {
        ref.current = element
      }}
      className={styles['navList']}
      {...listeners}
    >
      {sections.map(({ name, icon }) => (
        <li key={name}>
          <button
            type="button"
            role="link"
            className={styles['navRow']}
            aria-current={name === section ? 'page' : undefined}
            {...roving.itemProps(name)}
            onClick={() => dispatch(routeOpened({ view: 'settings', section: name }))}
          >
            <Icon name={icon} />
            {t(`${name}.title`)}
          </button>
        </li>
      ))}
    </ul>
  )
}
