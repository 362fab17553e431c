import type common from '../../../resources/locales/en/common.json'
import type errors from '../../../resources/locales/en/errors.json'
import { defineFeature } from '../../registry/feature.ts'
import { panelClosed, wentBack, wentForward, dialogOpened } from '../../store/window/ui.ts'
import { AddPeopleButton } from '../../features/session/index.ts'
import { Unanswered } from '../../features/connection/index.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useCanParticipate, useWindow } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { focusRegion } from '../keys/keyboard.ts'
import styles from './Frame.module.css'

declare module '../../store/window/kinds.ts' {
  interface Actions {
    back: void
    forward: void
    nextRegion: void
    previousRegion: void
    closePanel: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    common: typeof common
    errors: typeof errors
  }
}

/** What belongs to the frame of the window and to no feature in it. */
export const layoutFeature = defineFeature({
  localeAreas: ['common', 'errors'],
  routes: { home: { component: Home } },
  actions: {
    back: {
      chords: ['Alt+ArrowLeft'],
      macChords: ['Mod+['],
      group: 'navigation',
      order: 80,
      inOwnWindow: true,
      run: ({ dispatch }) => void dispatch(wentBack()),
    },
    forward: {
      chords: ['Alt+ArrowRight'],
      macChords: ['Mod+]'],
      group: 'navigation',
      order: 90,
      inOwnWindow: true,
      run: ({ dispatch }) => void dispatch(wentForward()),
    },
    nextRegion: {
      chords: ['F6', 'Ctrl+F6'],
      group: 'window',
      order: 310,
      inOwnWindow: true,
      run: () => focusRegion(1),
    },
    previousRegion: {
      chords: ['Shift+F6'],
      group: 'window',
      order: 320,
      inOwnWindow: true,
      run: () => focusRegion(-1),
    },
    closePanel: {
      chords: ['Mod+.'],
      group: 'window',
      order: 410,
      inOwnWindow: true,
      run: ({ dispatch }) => void dispatch(panelClosed()),
    },
  },
})

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
