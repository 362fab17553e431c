import { useCallback, useEffect, useRef, useState } from 'react'
import { useTexts, useFormats } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useCanParticipate, useMe, useObject, useSetting } from '../../store/hooks.ts'
import { perAccount } from '../../store/objects.ts'
import type { Thunk } from '../../store/store.ts'
import { selectOwnPresence, selectSettings } from '../../store/selectors.ts'
import { useShortcut } from '../../app/keys/shortcuts.tsx'
import { routeOpened } from '../../store/window/ui.ts'
import { IconButton } from '../../ui/Button/Button.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { EmojiText } from '../emoji/index.ts'
import { Portrait } from '../people/index.ts'
import { MeMenu, PauseDialog } from './parts.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import styles from './Sidebar.module.css'

const SETTINGS = { view: 'settings', section: 'appearance' } as const

/** The viewer at the lower left: their portrait opens a menu, the settings are beside it. */
export function MeBar() {
  const me = useMe()
  const keys = useShortcut('settings')
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const canParticipate = useCanParticipate()
  if (me === undefined) return null
  return (
    <div className={styles['me']}>
      {canParticipate ? <MeButton /> : <Guest />}
      <IconButton
        icon="settings"
        onApp
        label={t('me.settings')}
        keys={keys}
        tooltipSide="above"
        onClick={() => dispatch(routeOpened(SETTINGS))}
      />
    </div>
  )
}

function Guest() {
  const t = useTexts('sidebar')
  const accounts = useTexts('accounts')
  const presence = useAppSelector(selectOwnPresence)
  return (
    <>
      <Icon name="user" size={22} />
      <div className={styles['meWords']}>
        <div className={`${styles['who']} ellipsis`}>{accounts('guest')}</div>
        <div className={`${styles['status']} ellipsis`}>{t(`me.${presence}`)}</div>
      </div>
    </>
  )
}

/** The pages of the menu; each takes the place of the other. */
export type Page = 'first' | 'presence' | 'pause' | 'accounts'

/** Opens the menu on one of its pages from elsewhere. */
class MenuEntrance {
  #open: ((page: Page) => void) | undefined

  set(open: ((page: Page) => void) | undefined): void {
    this.#open = open
  }

  /** False while the portrait is not on screen. */
  open(page: Page): boolean {
    this.#open?.(page)
    return this.#open !== undefined
  }
}

const ME_MENU = perAccount(() => new MenuEntrance())

/** Opens the choice of a pause beside the own portrait, or the menu with its end. False where there is no portrait. */
export const openPauseMenu =
  (): Thunk<boolean> =>
  (_dispatch, getState, { objects }) => {
    const isPaused = selectSettings(getState()).notifications.pausedUntil > Date.now()
    return objects.of(ME_MENU).open(isPaused ? 'first' : 'pause')
  }

function MeButton() {
  const me = useMe()
  const t = useTexts('sidebar')
  const presence = useOwnPresence()
  // Not in the state: rendering once more would keep the first frame of the window waiting.
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState<{ readonly page: Page; readonly anchor: Element }>()
  const [asking, setAsking] = useState(false)
  const entrance = useObject(ME_MENU)
  const showPage = useCallback((page: Page | undefined) => {
    const anchor = button.current
    setOpen(page === undefined || anchor === null ? undefined : { page, anchor })
  }, [])
  useEffect(() => {
    entrance.set(showPage)
    return () => entrance.set(undefined)
  }, [entrance, showPage])
  if (me === undefined) return null
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles['meButton']}
        aria-label={t('me.button', { name: me.name, status: presence.text })}
        aria-haspopup="menu"
        aria-expanded={open !== undefined}
        onClick={() => showPage(open === undefined ? 'first' : undefined)}
      >
        <Portrait userId={me.id} size={34} presence={presence.disc} />
        <span className={styles['meWords']}>
          <span className={`${styles['who']} ellipsis`}>{me.name}</span>
          <span className={`${styles['status']} ellipsis`}>
            <EmojiText text={presence.text} />
          </span>
        </span>
      </button>
      {open === undefined ? null : <MeMenu {...open} onPage={showPage} onCustom={() => setAsking(true)} />}
      {asking ? <PauseDialog onClose={() => setAsking(false)} /> : null}
    </>
  )
}

/** How others see the viewer, and the line that says so: the end of a pause before everything else. */
export function useOwnPresence() {
  const t = useTexts('sidebar')
  const formats = useFormats()
  const me = useMe()
  const line = useAppSelector(selectOwnPresence)
  const now = useMinute()
  const { pausedUntil: until } = useSetting('notifications')
  const choice = usePresenceChoice()
  if (line !== 'online') return { kind: line, disc: 'offline', text: t(`me.${line}`) } as const
  if (until > now)
    return { kind: 'paused', disc: 'busy', text: t('me.paused', { time: formats.timeOrDay(until, now) }) } as const
  if (choice === 'invisible') return { kind: choice, disc: 'offline', text: t('me.invisible') } as const
  if (choice === 'away') return { kind: choice, disc: 'away', text: t('me.away') } as const
  return { kind: 'online', disc: 'online', text: me?.statusText ?? t('me.online') } as const
}

export type PresenceChoice = 'online' | 'away' | 'dnd' | 'invisible'

/** How others see the viewer while connected, as it was chosen here or on another device. */
export function usePresenceChoice(): PresenceChoice {
  const { pausedUntil: until } = useSetting('notifications')
  const isSeen = useSetting('publishPresence')
  const isAway = useSetting('awayByHand')
  const me = useMe()
  const now = useMinute()
  if (until > now) return 'dnd'
  if (!isSeen || me?.invisible === true) return 'invisible'
  return isAway || me?.away === true ? 'away' : 'online'
}
