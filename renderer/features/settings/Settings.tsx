import { useState } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { focusOnce } from '../../lib/page/focus.ts'
import { useRegistry } from '../../registry/feature.ts'
import type { Routes, SettingsSection } from '../../store/window/kinds.ts'
import { IconButton } from '../../ui/Button/Button.tsx'
import { FoundRow, Reset } from './controls/SettingRow.tsx'
import { useShortcutGroups } from '../../app/keys/shortcuts.tsx'
import { useRoving } from '../../lib/page/roving.ts'
import { useAppDispatch, useHost, useSession } from '../../store/hooks.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { FindField } from '../../ui/Field/TextField.tsx'
import { useFoundSettings, type FoundSetting, usePages } from './find/use-rows.ts'
import styles from './Settings.module.css'

type Props = Routes['settings'] & {
  /** In one column: goes back to the list of pages. */
  readonly onBack?: () => void
}

/** A settings page; the sidebar beside it lists the pages. */
export function SettingsView({ section, row, onBack }: Props) {
  const t = useTexts('settings')
  const common = useTexts('common')
  const p = useTexts('preferences')
  const pages = useRegistry().settings
  // A link may name a page of another version.
  const page = pages.find(({ name }) => name === section) ?? pages[0]
  if (page === undefined) return null
  const { name, component: Page, fields = [] } = page
  return (
    <main className={styles['view']} aria-label={t('title')} data-region="messages">
      {onBack === undefined ? null : (
        <div className={styles['back']} data-region="header">
          <IconButton icon="arrow-left" label={common('back')} onClick={onBack} />
        </div>
      )}
      <div className={styles['column']}>
        <h1 key={name} ref={focusOnce} tabIndex={-1}>
          {t(`${name}.title`)}
        </h1>
        <p className={styles['lead']}>{t(`${name}.lead`)}</p>
        <FoundRow value={row}>
          <Page />
        </FoundRow>
        {fields.length === 0 ? null : (
          <Reset
            key={`reset ${name}`}
            label={name === 'keyboard' ? p('keys.restoreAll') : p('reset.page')}
            fields={fields}
          />
        )}
      </div>
    </main>
  )
}

type SettingsNavProps = {
  readonly section: SettingsSection
  readonly onBack: () => void
}

/** Replaces the sidebar while the settings are open. */
export function SettingsNav({ section, onBack }: SettingsNavProps) {
  const t = useTexts('settings')
  const p = useTexts('preferences')
  const dispatch = useAppDispatch()
  const { version } = useHost()
  const workspace = useSession().workspace?.name ?? 'Parlor'
  const [query, setQuery] = useState('')
  const found = useFoundSettings(query, useShortcutGroups())
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
      <Foot section={section} version={version} />
    </nav>
  )
}

function Pages({ section }: { readonly section: SettingsSection }) {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const pages = usePages().filter(({ inFoot }) => inFoot !== true)
  const roving = useRoving({ ids: pages.map(({ name }) => name), initialId: section })
  const { ref, ...listeners } = roving.containerProps
  return (
    <ul
      ref={(element) => {
        ref.current = element
      }}
      className={styles['navList']}
      {...listeners}
    >
      {pages.map(({ name, icon }) => (
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

/** The version, and the pages that are links below the others. */
function Foot({ section, version }: { readonly section: SettingsSection; readonly version: string }) {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const pages = usePages().filter(({ inFoot }) => inFoot === true)
  return (
    <div className={styles['navFoot']}>
      <span>Parlor {version}</span>
      {pages.map(({ name }) => (
        <button
          key={name}
          type="button"
          role="link"
          aria-current={name === section ? 'page' : undefined}
          onClick={() => dispatch(routeOpened({ view: 'settings', section: name }))}
        >
          {t(`${name}.title`)}
        </button>
      ))}
    </div>
  )
}

/** Search results; each opens its page and highlights the row. */
function FoundList({ found }: { readonly found: readonly FoundSetting[] }) {
  const t = useTexts('settings')
  const p = useTexts('preferences')
  const dispatch = useAppDispatch()
  const ids = found.map(({ section, title }) => `${section} ${title}`)
  const roving = useRoving({ ids })
  const { ref, ...listeners } = roving.containerProps
  return (
    <>
      <p role="status" className={styles['navNote']}>
        {found.length === 0 ? p('find.none') : p('find.found', { count: found.length })}
      </p>
      <ul
        ref={(element) => {
          ref.current = element
        }}
        className={styles['navList']}
        {...listeners}
      >
        {found.map(({ section, title }) => (
          <li key={`${section} ${title}`}>
            <button
              type="button"
              role="link"
              className={styles['navRow']}
              {...roving.itemProps(`${section} ${title}`)}
              onClick={() => dispatch(routeOpened({ view: 'settings', section, row: title }))}
            >
              <span>
                {title}
                <span className={styles['navWhere']}>{t(`${section}.title`)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
