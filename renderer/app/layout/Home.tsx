import { AddPeopleButton } from '../../features/session/index.ts'
import { Unanswered } from '../../features/connection/index.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useCanParticipate, useWindow } from '../../store/hooks.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import styles from './Frame.module.css'

/** No conversation is open; in a workspace without any, offers to create the first one. */
export function Home() {
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
