import { ChannelView } from '../../features/channel/index.ts'
import { BrowseView } from '../../features/browse/index.ts'
import { SettingsView } from '../../features/settings/index.ts'
import { Unanswered } from '../../features/connection/index.ts'
import { AddPeopleButton } from '../../features/session/index.ts'
import { DraftsView } from '../../features/drafts/index.ts'
import { RemindersView } from '../../features/reminders/index.ts'
import { CatchUpView } from '../../features/unread/index.ts'
import { MentionsView, SearchView } from '../../features/search/index.ts'
import { ThreadsView, ThreadView } from '../../features/threads/index.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useCanParticipate, useWindow } from '../../store/hooks.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { Region } from '../Region.tsx'
import { useShortcutGroups } from '../keys/use-shortcuts.ts'
import styles from './Frame.module.css'

type Props = { readonly onBack?: () => void }

/** The main sheet: the view of the current route. */
export function MainSheet({ onBack }: Props) {
  const route = useAppSelector((state) => state.ui.route)
  return (
    <div className={styles['sheet']}>
      <Region where={route.view} resetKey={JSON.stringify(route)}>
        {route.view === 'channel' ? (
          <ChannelView key={route.cid} cid={route.cid} onBack={onBack} />
        ) : route.view === 'settings' ? (
          <Settings section={route.section} row={route.row} onBack={onBack} />
        ) : route.view === 'drafts' ? (
          <DraftsView onBack={onBack} />
        ) : route.view === 'thread' ? (
          <ThreadView key={route.parentId} cid={route.cid} parentId={route.parentId} />
        ) : route.view === 'threads' ? (
          <ThreadsView onBack={onBack} />
        ) : route.view === 'reminders' ? (
          <RemindersView onBack={onBack} />
        ) : route.view === 'catch-up' ? (
          <CatchUpView onBack={onBack} />
        ) : route.view === 'mentions' ? (
          <MentionsView onBack={onBack} />
        ) : route.view === 'browse' ? (
          <BrowseView onBack={onBack} />
        ) : route.view === 'search' ? (
          <SearchView onBack={onBack} />
        ) : (
          <Home />
        )}
      </Region>
    </div>
  )
}

function Settings(props: Omit<Parameters<typeof SettingsView>[0], 'shortcuts'>) {
  return <SettingsView {...props} shortcuts={useShortcutGroups()} />
}

/** No conversation is open; in a workspace without any, offers to create the first one. */
function Home() {
  const t = useTexts('common')
  const dispatch = useAppDispatch()
  const channels = useWindow('channels')
  const canParticipate = useCanParticipate()
  const unanswered = channels?.loading === 'none' && channels.unanswered === true && channels.ids.length === 0
  const none = channels?.loading === 'none' && channels.error === undefined && channels.ids.length === 0
  return (
    <main className={styles['home']} aria-label={t('home.title')}>
      {unanswered ? (
        <Unanswered part="channels" error={channels.error} />
      ) : none && canParticipate ? (
        <Empty
          scene="chat"
          title={t('home.first')}
          action={
            <>
              <Button variant="primary" onClick={() => dispatch(dialogOpened({ kind: 'new-channel' }))}>
                {t('home.make')}
              </Button>
              <AddPeopleButton />
            </>
          }
        >
          {t('home.firstText')}
        </Empty>
      ) : (
        <Empty scene="chat" title={t('home.title')}>
          {t('home.text')}
        </Empty>
      )}
    </main>
  )
}
