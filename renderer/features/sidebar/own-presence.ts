import { useFormats, useTexts } from '../../i18n/index.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppSelector, useMe, useSetting } from '../../store/hooks.ts'
import { selectOwnPresence } from '../../store/selectors.ts'

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
