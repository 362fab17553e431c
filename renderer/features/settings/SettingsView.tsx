import { useTexts } from '../../i18n/index.ts'
import { focusOnce } from '../../lib/focus.ts'
import type { SettingsSection } from '../../store/ui.ts'
import { About } from './About.tsx'
import { Appearance } from './Appearance.tsx'
import { Composing } from './Composing.tsx'
import { Keyboard, type ShortcutGroup } from './Keyboard.tsx'
import { Network } from './Network.tsx'
import { Notifications } from './notifications/Notifications.tsx'
import { Reading } from './Reading.tsx'
import { LanguageRegion } from './LanguageRegion.tsx'
import { Storage } from './Storage.tsx'
import { WorkspaceSettings } from './WorkspaceSettings.tsx'
import styles from './Settings.module.css'

type Props = { readonly section: SettingsSection; readonly shortcuts: readonly ShortcutGroup[] }

/** The sheet of the settings; the sidebar beside it lists the sections. */
export function SettingsView({ section, shortcuts }: Props) {
  const t = useTexts('settings')
  return (
    <main className={styles['view']} aria-label={t('title')} data-region="messages">
      <div className={styles['column']}>
        <h1 key={section} ref={focusOnce} tabIndex={-1}>
          {t(`${section}.title`)}
        </h1>
        <p className={styles['lead']}>{t(`${section}.lead`)}</p>
        <Body section={section} shortcuts={shortcuts} />
      </div>
    </main>
  )
}

function Body({ section, shortcuts }: Props) {
  switch (section) {
    case 'appearance':
      return <Appearance />
    case 'language':
      return <LanguageRegion />
    case 'notifications':
      return <Notifications />
    case 'composing':
      return <Composing />
    case 'reading':
      return <Reading />
    case 'keyboard':
      return <Keyboard groups={shortcuts} />
    case 'network':
      return <Network />
    case 'storage':
      return <Storage />
    case 'workspace':
      return <WorkspaceSettings />
    case 'about':
      return <About />
  }
}
