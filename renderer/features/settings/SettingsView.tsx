import { useTexts } from '../../i18n/index.ts'
import { focusOnce } from '../../lib/page/focus.ts'
import { useRegistry } from '../../registry/registry.ts'
import type { Routes } from '../../store/window/kinds.ts'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { FoundRow, Reset } from './controls/SettingRow.tsx'
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
