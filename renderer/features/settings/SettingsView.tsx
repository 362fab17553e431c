import { useTexts } from '../../i18n/index.ts'
import { focusOnce } from '../../lib/page/focus.ts'
import type { SettingsSection } from '../../store/window/ui.ts'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { About } from './pages/About.tsx'
import { Accessibility } from './pages/Accessibility.tsx'
import { Advanced } from './advanced/Advanced.tsx'
import { Appearance } from './pages/Appearance.tsx'
import { Composing } from './pages/Composing.tsx'
import { DesktopSettings } from './desktop/DesktopSettings.tsx'
import { EmojiSettings } from './emoji/EmojiSettings.tsx'
import { FoundRow } from './find/found.ts'
import { KeyboardSettings } from './keys/KeyboardSettings.tsx'
import type { ShortcutGroup } from './keys/shortcut.ts'
import { LanguageRegion } from './pages/LanguageRegion.tsx'
import { Network } from './pages/Network.tsx'
import { Notifications } from './notifications/Notifications.tsx'
import { Privacy } from './pages/Privacy.tsx'
import { Reading } from './pages/Reading.tsx'
import { Reset } from './controls/Reset.tsx'
import { fieldsOf } from './sections.ts'
import { Storage } from './pages/Storage.tsx'
import { WorkspaceSettings } from './pages/WorkspaceSettings.tsx'
import styles from './Settings.module.css'

type Props = {
  readonly section: SettingsSection
  /** The name of the row that was searched for. */
  readonly row?: string
  readonly shortcuts: readonly ShortcutGroup[]
  /** In one column: goes back to the list of pages. */
  readonly onBack?: () => void
}

/** A settings page; the sidebar beside it lists the pages. */
export function SettingsView({ section, row, shortcuts, onBack }: Props) {
  const t = useTexts('settings')
  const common = useTexts('common')
  const p = useTexts('preferences')
  const fields = fieldsOf(section)
  return (
    <main className={styles['view']} aria-label={t('title')} data-region="messages">
      {onBack === undefined ? null : (
        <div className={styles['back']} data-region="header">
          <IconButton icon="arrow-left" label={common('back')} onClick={onBack} />
        </div>
      )}
      <div className={styles['column']}>
        <h1 key={section} ref={focusOnce} tabIndex={-1}>
          {t(`${section}.title`)}
        </h1>
        <p className={styles['lead']}>{t(`${section}.lead`)}</p>
        <FoundRow value={row}>
          <Body section={section} shortcuts={shortcuts} />
        </FoundRow>
        {fields.length === 0 ? null : (
          <Reset
            key={`reset ${section}`}
            label={section === 'keyboard' ? p('keys.restoreAll') : p('reset.page')}
            fields={fields}
          />
        )}
      </div>
    </main>
  )
}

function Body({ section, shortcuts }: Pick<Props, 'section' | 'shortcuts'>) {
  if (section === 'keyboard') return <KeyboardSettings groups={shortcuts} />
  const Page = PAGES[section]
  return <Page />
}

const PAGES: Readonly<Record<Exclude<SettingsSection, 'keyboard'>, () => React.ReactNode>> = {
  appearance: Appearance,
  notifications: Notifications,
  language: LanguageRegion,
  composing: Composing,
  reading: Reading,
  privacy: Privacy,
  workspace: WorkspaceSettings,
  emoji: EmojiSettings,
  accessibility: Accessibility,
  desktop: DesktopSettings,
  network: Network,
  storage: Storage,
  advanced: Advanced,
  about: About,
}
