import type { HostWords, SystemMenuItem, TrayMark, TrayPicture } from '#main/hosts/host.ts'
import type { Badge } from '#main/engine/context.ts'
import type { Places } from './places.ts'

export type TrayFacts = {
  readonly badge: Badge
  readonly offline: boolean
  /** Nobody is told anything now, by a pause or by the hour. */
  readonly quiet: boolean
  /** By a pause, which the menu can end. */
  readonly paused: boolean
  readonly unread: Places['unread']
}

export type TrayActions = {
  readonly press: () => void
  readonly open: () => void
  readonly command: (action: 'newMessage' | 'settings') => void
  readonly pause: (on: boolean) => void
  readonly quit: () => void
}

/** The mark, what stands beside it when it is pointed at, and its menu. Source: product paper 4.6 "Tray". */
export function trayPicture(facts: TrayFacts, words: HostWords, actions: TrayActions): TrayPicture {
  return {
    mark: markOf(facts),
    tooltip: tooltipOf(facts, words),
    items: itemsOf(facts, (key, params) => words('desktop', `tray.${key}`, params), actions),
    onPress: actions.press,
  }
}

/** What is meant for the viewer shows even while it is quiet: the mark disturbs nobody. */
export function markOf({ badge, offline, quiet }: Omit<TrayFacts, 'unread' | 'paused'>): TrayMark {
  if (offline) return 'offline'
  if (badge.mentions > 0) return 'mention'
  if (quiet) return 'quiet'
  return badge.unread > 0 ? 'unread' : 'plain'
}

function tooltipOf({ badge, offline }: TrayFacts, words: HostWords): string {
  if (offline) return words('desktop', 'tray.offline')
  return badge.unread > 0 ? words('desktop', 'tray.unread', { count: badge.unread }) : words('desktop', 'tray.plain')
}

type TrayWords = (key: string, params?: Readonly<Record<string, string | number>>) => string

function itemsOf({ unread, paused }: TrayFacts, words: TrayWords, actions: TrayActions): readonly SystemMenuItem[] {
  const gap = { gap: true } as const
  return [
    { label: words('open'), run: actions.open },
    { label: words('newMessage'), run: () => actions.command('newMessage') },
    gap,
    ...unread.map((place) => ({
      label: words('place', { name: place.name, unread: place.unread }),
      run: place.open,
    })),
    ...(unread.length === 0 ? [] : [gap]),
    { label: words('quiet'), checked: paused, run: () => actions.pause(!paused) },
    { label: words('settings'), run: () => actions.command('settings') },
    gap,
    { label: words('quit'), run: actions.quit },
  ]
}
