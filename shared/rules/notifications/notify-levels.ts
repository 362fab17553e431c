import type { NotificationChoices, NotifyLevel } from '#shared/domain/notification.ts'

/** The level of a channel; absent: the default of all channels. `account` is a `sidebarKey`. */
export const ownLevel = (
  { levels }: Pick<NotificationChoices, 'levels'>,
  account: string,
  cid: string,
): NotifyLevel | undefined => levels[account]?.[cid]

/** Sets or removes the level of a channel. */
export function withOwnLevel(
  choices: NotificationChoices,
  account: string,
  { cid, level }: { readonly cid: string; readonly level: NotifyLevel | undefined },
): NotificationChoices {
  const { [cid]: _before, ...others } = choices.levels[account] ?? {}
  const levels = level === undefined ? others : { ...others, [cid]: level }
  return { ...choices, levels: { ...choices.levels, [account]: levels } }
}
