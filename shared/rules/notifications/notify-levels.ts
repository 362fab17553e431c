import type { NotificationChoices, NotifyLevel } from '#shared/domain/notification.ts'

/** The level a channel has of its own; absent: the one of all channels. `account` is a `sidebarKey`. */
export const ownLevel = (
  { levels }: Pick<NotificationChoices, 'levels'>,
  account: string,
  cid: string,
): NotifyLevel | undefined => levels[account]?.[cid]

/** Gives a channel a level of its own, or takes it away. */
export function withOwnLevel(
  choices: NotificationChoices,
  account: string,
  { cid, level }: { readonly cid: string; readonly level: NotifyLevel | undefined },
): NotificationChoices {
  const { [cid]: _before, ...others } = choices.levels[account] ?? {}
  const levels = level === undefined ? others : { ...others, [cid]: level }
  return { ...choices, levels: { ...choices.levels, [account]: levels } }
}
