import { useCallback } from 'react'
import type { User } from '#shared/domain/user.ts'
import { pausedUntil, type Pause } from '#shared/rules/notifications/notifying.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { announce } from '../../../lib/page/announce.ts'
import { selectAccounts } from '../../../store/accounts.ts'
import { commandFailed } from '../../../store/command.ts'
import { useAppDispatch, useAppSelector, useMe, useSession, useSetting } from '../../../store/hooks.ts'
import { selectOwnPresence } from '../../../store/selectors.ts'
import { useShortcut } from '../../../app/keys/shortcuts.tsx'
import { addAccountOpened, dialogOpened, routeOpened } from '../../../store/window/ui.ts'
import { Menu, type MenuItem } from '../../../ui/Menu/Menu.tsx'
import { MomentDialog } from '../../../ui/Dates/index.ts'
import { goToAccount } from '../../accounts/index.ts'
import { Portrait } from '../../people/index.ts'
import { changeProfile, updateSettings } from '../../settings/index.ts'
import { type Page, type PresenceChoice, useOwnPresence, usePresenceChoice } from '../MeBar.tsx'
import styles from '../Sidebar.module.css'

const PROFILE = { view: 'settings', section: 'account' } as const
const SETTINGS = { view: 'settings', section: 'appearance' } as const

function usePause(): (until: number) => void {
  const dispatch = useAppDispatch()
  const notifications = useSetting('notifications')
  return (until) => void dispatch(updateSettings({ notifications: { ...notifications, pausedUntil: until } }))
}

/** A pause that ends at a time of the user's own. */
export function PauseDialog({ onClose }: { readonly onClose: () => void }) {
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

export function MeMenu({ anchor, page, onPage, onCustom }: MenuProps) {
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

const DISCS = { online: 'online', away: 'away', dnd: 'busy', invisible: 'offline' } as const

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
