import { useCallback, useEffect, useState } from 'react'
import type { User } from '#shared/domain/user.ts'
import { pausedUntil, type Pause } from '#shared/rules/notifications/choices.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { announce } from '../../lib/page/announce.ts'
import { selectAccounts } from '../../store/accounts.ts'
import { commandFailed } from '../../store/command.ts'
import {
  useAppDispatch,
  useAppSelector,
  useCanParticipate,
  useMe,
  useObject,
  useSession,
  useSetting,
} from '../../store/hooks.ts'
import { perAccount } from '../../store/objects.ts'
import type { Thunk } from '../../store/store.ts'
import { selectOwnPresence, selectSettings } from '../../store/selectors.ts'
import { useShortcut } from '../../store/window/shortcuts.ts'
import { addAccountOpened, dialogOpened, routeOpened } from '../../store/window/ui.ts'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Menu, type MenuItem } from '../../ui/Menu/Menu.tsx'
import { MomentDialog } from '../../ui/Dates/index.ts'
import { goToAccount } from '../accounts/index.ts'
import { EmojiText } from '../emoji/index.ts'
import { Portrait } from '../people/index.ts'
import { changeProfile, updateSettings } from '../settings/index.ts'
import styles from './Sidebar.module.css'

const PROFILE = { view: 'settings', section: 'account' } as const
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
type Page = 'first' | 'presence' | 'pause' | 'accounts'

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
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const [page, setPage] = useState<Page>()
  const [asking, setAsking] = useState(false)
  const entrance = useObject(ME_MENU)
  useEffect(() => {
    entrance.set(setPage)
    return () => entrance.set(undefined)
  }, [entrance])
  if (me === undefined) return null
  return (
    <>
      <button
        ref={setButton}
        type="button"
        className={styles['meButton']}
        aria-label={t('me.button', { name: me.name, status: presence.text })}
        aria-haspopup="menu"
        aria-expanded={page !== undefined}
        onClick={() => setPage((open) => (open === undefined ? 'first' : undefined))}
      >
        <Portrait userId={me.id} size={34} presence={presence.disc} />
        <span className={styles['meWords']}>
          <span className={`${styles['who']} ellipsis`}>{me.name}</span>
          <span className={`${styles['status']} ellipsis`}>
            <EmojiText text={presence.text} />
          </span>
        </span>
      </button>
      {page === undefined || button === null ? null : (
        <MeMenu anchor={button} page={page} onPage={setPage} onCustom={() => setAsking(true)} />
      )}
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

function usePause(): (until: number) => void {
  const dispatch = useAppDispatch()
  const notifications = useSetting('notifications')
  return (until) => void dispatch(updateSettings({ notifications: { ...notifications, pausedUntil: until } }))
}

/** A pause that ends at a time of the user's own. */
function PauseDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('sidebar')
  const pause = usePause()
  return (
    <MomentDialog
      title={t('me.pause')}
      confirm={t('me.pauseConfirm')}
      result={(time) => t('me.pauseResult', { time })}
      onChoose={pause}
      onClose={onClose}
    />
  )
}

type MenuProps = {
  readonly anchor: Element
  readonly page: Page
  readonly onPage: (page: Page | undefined) => void
  readonly onCustom: () => void
}

const ABOVE = { side: 'above', align: 'start', gap: 8 } as const

function MeMenu({ anchor, page, onPage, onCustom }: MenuProps) {
  const t = useTexts('sidebar')
  const back = useCallback(() => onPage('first'), [onPage])
  const close = useCallback(() => onPage(undefined), [onPage])
  const pages: Readonly<Record<Page, readonly MenuItem[]>> = {
    first: useFirstItems(onPage),
    presence: usePresenceItems(),
    pause: usePauseItems(onCustom),
    accounts: useAccountItems(),
  }
  const labels = { first: 'title', presence: 'presence', pause: 'pause', accounts: 'switch' } as const
  return (
    <Menu
      key={page}
      label={t(`me.${labels[page]}`)}
      items={pages[page]}
      anchor={anchor}
      placement={ABOVE}
      minWidth={304}
      onBack={page === 'first' ? undefined : back}
      onClose={close}
    />
  )
}

function MenuHead({ me }: { readonly me: User }) {
  const formats = useFormats()
  const { workspace } = useSession()
  const now = useMinute()
  const { disc } = useOwnPresence()
  return (
    <span className={styles['meHead']}>
      <Portrait userId={me.id} size={40} presence={disc} />
      <span className={styles['meWords']}>
        <span className={`${styles['who']} ellipsis`}>{me.name}</span>
        <span className={`${styles['status']} ellipsis`}>{`${workspace?.name ?? ''}, ${formats.time(now)}`}</span>
      </span>
    </span>
  )
}

function useFirstItems(onPage: (page: Page) => void): readonly MenuItem[] {
  const t = useTexts('sidebar')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const me = useMe()
  const now = useMinute()
  const presence = useOwnPresence()
  const choice = usePresenceChoice()
  const line = useAppSelector(selectOwnPresence)
  const isConnected = line === 'online'
  const keys = useShortcut('settings')
  const { pausedUntil: until } = useSetting('notifications')
  const pause = usePause()
  if (me === undefined) return []
  const isOffline = presence.kind === 'offline'
  const isPaused = until > now
  const clear = async (): Promise<void> => {
    const done = await dispatch(changeProfile({ name: me.name, statusText: '', statusUntil: undefined }))
    if (done.ok) announce(t('me.statusCleared'))
    else dispatch(commandFailed({ type: 'settings/profileChanged', error: done.error }))
  }
  return [
    { kind: 'heading', id: 'who', content: <MenuHead me={me} /> },
    {
      id: 'status',
      label: me.statusText ?? t('me.setStatus'),
      icon: 'smile-plus',
      framed: true,
      hint:
        me.statusText === undefined || me.statusUntil === undefined
          ? undefined
          : t('me.until', { time: formats.timeOrDay(me.statusUntil, now) }),
      onSelect: () => void dispatch(dialogOpened({ kind: 'status' })),
      extra:
        me.statusText === undefined || isOffline
          ? undefined
          : { label: t('me.clearStatus'), icon: 'x', onSelect: () => void clear() },
    },
    ...(isOffline ? [{ kind: 'heading' as const, id: 'offline', content: t('me.offlineNote') }] : []),
    { kind: 'separator', id: 'being' },
    {
      id: 'presence',
      label: t(isConnected ? `me.${choice}` : `me.${line}`),
      leading: <PresenceDisc kind={isConnected ? DISCS[choice] : 'offline'} />,
      leads: 'here',
      onSelect: () => onPage('presence'),
    },
    isPaused
      ? {
          id: 'resume',
          label: t('me.resume'),
          icon: 'bell',
          hint: t('me.paused', { time: formats.timeOrDay(until, now) }),
          onSelect: () => pause(0),
        }
      : { id: 'pause', label: t('me.pause'), icon: 'moon', leads: 'here', onSelect: () => onPage('pause') },
    { kind: 'separator', id: 'pages' },
    { id: 'profile', label: t('me.profile'), icon: 'user', onSelect: () => void dispatch(routeOpened(PROFILE)) },
    {
      id: 'settings',
      label: t('me.settings'),
      icon: 'settings',
      keys,
      onSelect: () => void dispatch(routeOpened(SETTINGS)),
    },
    { kind: 'separator', id: 'leaving' },
    { id: 'accounts', label: t('me.switch'), icon: 'users', leads: 'here', onSelect: () => onPage('accounts') },
    {
      id: 'out',
      label: t('me.signOut'),
      icon: 'logout',
      onSelect: () => void dispatch(dialogOpened({ kind: 'sign-out' })),
    },
  ]
}

type PresenceChoice = 'online' | 'away' | 'dnd' | 'invisible'

const DISCS = { online: 'online', away: 'away', dnd: 'busy', invisible: 'offline' } as const

/** How others see the viewer while connected, as it was chosen here or on another device. */
function usePresenceChoice(): PresenceChoice {
  const { pausedUntil: until } = useSetting('notifications')
  const isSeen = useSetting('publishPresence')
  const isAway = useSetting('awayByHand')
  const me = useMe()
  const now = useMinute()
  if (until > now) return 'dnd'
  if (!isSeen || me?.invisible === true) return 'invisible'
  return isAway || me?.away === true ? 'away' : 'online'
}

function PresenceDisc({ kind }: { readonly kind: (typeof DISCS)[PresenceChoice] }) {
  return (
    <span className={styles['disc']}>
      <i className={styles[kind]} />
    </span>
  )
}

/** Online, away until it is chosen otherwise, Do Not Disturb until tomorrow morning, or seen by others as offline. */
function usePresenceItems(): readonly MenuItem[] {
  const t = useTexts('sidebar')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const notifications = useSetting('notifications')
  const now = useMinute()
  const current = usePresenceChoice()
  const until = current === 'dnd' ? notifications.pausedUntil : pausedUntil('tomorrow', now)
  const option = (kind: PresenceChoice, note: string, change: Parameters<typeof updateSettings>[0]): MenuItem => ({
    id: kind,
    label: t(`me.${kind}`),
    note,
    leading: <PresenceDisc kind={DISCS[kind]} />,
    radio: true,
    checked: kind === current,
    onSelect: () => void dispatch(updateSettings(change)),
  })
  const resumed = { ...notifications, pausedUntil: 0 }
  return [
    { kind: 'heading', id: 'presence-title', content: t('me.presence') },
    option('online', t('me.onlineNote'), { publishPresence: true, awayByHand: false, notifications: resumed }),
    option('away', t('me.awayNote'), { publishPresence: true, awayByHand: true, notifications: resumed }),
    option('dnd', t('me.dndNote', { time: formats.timeOrDay(until, now) }), {
      notifications: { ...notifications, pausedUntil: until },
    }),
    option('invisible', t('me.invisibleNote'), { publishPresence: false, notifications: resumed }),
  ]
}

const PAUSES = {
  'half-hour': 'half',
  hour: 'hour',
  'two-hours': 'twoHours',
  tomorrow: 'tomorrow',
  monday: 'monday',
} as const

function usePauseItems(onCustom: () => void): readonly MenuItem[] {
  const t = useTexts('sidebar')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const pause = usePause()
  const now = useMinute()
  const lengths = Object.keys(PAUSES) as (keyof typeof PAUSES)[]
  return [
    { kind: 'heading', id: 'pause-title', content: t('me.pause') },
    ...lengths.map((how): MenuItem => ({
      id: how,
      label: t(`me.${PAUSES[how]}`),
      hint: formats.timeOrDay(pausedUntil(how, now), now),
      onSelect: () => pause(pausedUntil(how satisfies Pause, Date.now())),
    })),
    { kind: 'separator', id: 'own-time' },
    { id: 'custom', label: t('me.custom'), onSelect: onCustom },
    {
      id: 'schedule',
      label: t('me.schedule'),
      onSelect: () => void dispatch(routeOpened({ view: 'settings', section: 'notifications' })),
    },
  ]
}

function useAccountItems(): readonly MenuItem[] {
  const t = useTexts('sidebar')
  const accounts = useTexts('accounts')
  const dispatch = useAppDispatch()
  const { accounts: all, shown } = useAppSelector(selectAccounts)
  return [
    { kind: 'heading', id: 'accounts-title', content: t('me.switchTitle') },
    ...all.map((account): MenuItem => ({
      id: `account-${account.key}`,
      label: account.name,
      radio: true,
      checked: account.key === shown,
      onSelect: () => dispatch(goToAccount(account.key)),
    })),
    { kind: 'separator', id: 'more-accounts' },
    { id: 'add', label: accounts('add'), icon: 'plus', onSelect: () => void dispatch(addAccountOpened()) },
  ]
}
