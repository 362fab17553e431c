import { pausedUntil, type Pause } from '#shared/rules/notifications/choices.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector, useCanParticipate, useMe, useSession, useSetting } from '../../store/hooks.ts'
import { selectOwnPresence } from '../../store/selectors.ts'
import { useShortcut } from '../../store/window/shortcuts.ts'
import { dialogOpened, routeOpened } from '../../store/window/ui.ts'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { type MenuItem, useMenu } from '../../ui/Menu/Menu.tsx'
import { Portrait } from '../people/index.ts'
import { updateSettings } from '../settings/index.ts'
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

function MeButton() {
  const me = useMe()
  const t = useTexts('sidebar')
  const formats = useFormats()
  const presence = useAppSelector(selectOwnPresence)
  const now = useMinute()
  const { pausedUntil: until } = useSetting('notifications')
  const menu = useMenu({
    label: t('me.title'),
    items: useMeItems(),
    placement: { side: 'above', align: 'start', gap: 8 },
    minWidth: 288,
  })
  if (me === undefined) return null
  const isOnline = presence === 'online'
  const isPaused = isOnline && until > now
  const status = isPaused
    ? t('me.paused', { time: formats.dayAndTime(until) })
    : ((isOnline ? me.statusText : undefined) ?? t(`me.${presence}`))
  return (
    <>
      <button
        type="button"
        className={styles['meButton']}
        aria-label={t('me.button', { name: me.name, status })}
        {...menu.triggerProps}
      >
        <Portrait userId={me.id} size={34} presence={isPaused ? 'busy' : isOnline ? 'online' : 'offline'} />
        <span className={styles['meWords']}>
          <span className={`${styles['who']} ellipsis`}>{me.name}</span>
          <span className={`${styles['status']} ellipsis`}>{status}</span>
        </span>
      </button>
      {menu.menu}
    </>
  )
}

/** Read when the menu opens: the ends of the pauses are those from then on. */
function useMeItems(): () => readonly MenuItem[] {
  const t = useTexts('sidebar')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const me = useMe()
  const { workspace } = useSession()
  const keys = useShortcut('settings')
  const notifications = useSetting('notifications')
  const pause = (how: Pause) => () =>
    void dispatch(updateSettings({ notifications: { ...notifications, pausedUntil: pausedUntil(how, Date.now()) } }))
  const pauseItem = (how: Exclude<Pause, 'off'>, label: string): MenuItem => ({
    id: how,
    label,
    hint: formats.dayAndTime(pausedUntil(how, Date.now())),
    onSelect: pause(how),
  })
  return () => [
    { kind: 'heading', id: 'who', content: [me?.name, workspace?.name].filter(Boolean).join(', ') },
    {
      id: 'status',
      label: me?.statusText ?? t('me.setStatus'),
      icon: 'smile-plus',
      hint:
        me?.statusText === undefined || me.statusUntil === undefined ? undefined : formats.dayAndTime(me.statusUntil),
      onSelect: () => void dispatch(routeOpened(PROFILE)),
    },
    { kind: 'separator', id: 'pausing' },
    ...(notifications.pausedUntil > Date.now()
      ? [
          {
            id: 'resume',
            label: t('me.resume'),
            icon: 'bell' as const,
            hint: formats.dayAndTime(notifications.pausedUntil),
            onSelect: pause('off'),
          },
        ]
      : [
          { kind: 'heading' as const, id: 'pause', content: t('me.pause') },
          pauseItem('half-hour', t('me.half')),
          pauseItem('hour', t('me.hour')),
          pauseItem('tomorrow', t('me.tomorrow')),
        ]),
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
    {
      id: 'out',
      label: t('me.signOut'),
      icon: 'logout',
      onSelect: () => void dispatch(dialogOpened({ kind: 'sign-out' })),
    },
  ]
}
