import { ChannelView } from '../../features/channel/index.ts'
import { SettingsView } from '../../features/settings/index.ts'
import { DraftsView } from '../../features/drafts/index.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Region } from '../Region.tsx'
import { useShortcutGroups } from '../use-shortcuts.ts'
import styles from './Frame.module.css'

type Props = { readonly onBack?: (() => void) | undefined }

/** What the route says, on paper. */
export function MainSheet({ onBack }: Props) {
  const route = useAppSelector((state) => state.ui.route)
  return (
    <div className={styles['sheet']}>
      <Region where={route.view} resetKey={JSON.stringify(route)}>
        {route.view === 'channel' ? (
          <ChannelView key={route.cid} cid={route.cid} onBack={onBack} />
        ) : route.view === 'settings' ? (
          <Settings section={route.section} />
        ) : route.view === 'drafts' ? (
          <DraftsView />
        ) : (
          <Home />
        )}
      </Region>
    </div>
  )
}

function Settings({ section }: { readonly section: Parameters<typeof SettingsView>[0]['section'] }) {
  return <SettingsView section={section} shortcuts={useShortcutGroups()} />
}

function Home() {
  const t = useTexts('common')
  return (
    <main className={styles['home']} aria-label={t('home.title')}>
      <Empty scene="chat" title={t('home.title')}>
        {t('home.text')}
      </Empty>
    </main>
  )
}
