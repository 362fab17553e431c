import { useTexts } from '../../i18n/index.ts'
import { useRoving } from '../../lib/roving.ts'
import { useAppDispatch, useHost, useSession } from '../../store/hooks.ts'
import { routeOpened, type SettingsSection } from '../../store/ui.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { IconName } from '../../ui/icon-names.ts'
import styles from './Settings.module.css'

const SECTIONS: readonly { readonly name: SettingsSection; readonly icon: IconName }[] = [
  { name: 'appearance', icon: 'palette' },
  { name: 'language', icon: 'globe' },
  { name: 'notifications', icon: 'bell' },
  { name: 'composing', icon: 'pencil' },
  { name: 'reading', icon: 'eye' },
  { name: 'keyboard', icon: 'keyboard' },
  { name: 'network', icon: 'server' },
  { name: 'storage', icon: 'database' },
  { name: 'workspace', icon: 'user' },
  { name: 'about', icon: 'info' },
]

type Props = { readonly section: SettingsSection; readonly onBack: () => void }

/** In place of the sidebar while the settings are open. */
export function SettingsNav({ section, onBack }: Props) {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { version } = useHost()
  const workspace = useSession().workspace?.name ?? 'Parlor'
  const roving = useRoving({ ids: SECTIONS.map(({ name }) => name), initialId: section })
  const { ref, ...listeners } = roving.containerProps
  return (
    <nav className={styles['nav']} aria-label={t('title')} data-region="sidebar">
      <button type="button" className={styles['navRow']} onClick={onBack}>
        <Icon name="arrow-left" size={17} />
        <span className="ellipsis">{t('backTo', { workspace })}</span>
      </button>
      <h2 className={styles['navHead']}>{t('title')}</h2>
      <ul
        ref={(element) => {
          ref.current = element
        }}
        className={styles['navList']}
        {...listeners}
      >
        {SECTIONS.map(({ name, icon }) => (
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
      <div className={styles['navFoot']}>Parlor {version}</div>
    </nav>
  )
}
