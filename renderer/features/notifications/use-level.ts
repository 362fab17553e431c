import type { NotifyLevel } from '#shared/domain/notification.ts'
import { ownLevel, withOwnLevel } from '#shared/rules/notifications/notify-levels.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { useAppDispatch, useSession, useSetting } from '../../store/hooks.ts'
import { updateSettings } from '../settings/index.ts'

type Level = {
  /** The channel's own; absent: it follows `usual`. */
  readonly own: NotifyLevel | undefined
  /** What stands for every channel without its own. */
  readonly usual: NotifyLevel
  readonly choose: (level: NotifyLevel | undefined) => void
}

/** What a channel may call for, and a way to choose otherwise. */
export function useLevel(cid: string): Level {
  const dispatch = useAppDispatch()
  const account = sidebarKey(useSession())
  const notifications = useSetting('notifications')
  return {
    own: ownLevel(notifications, account, cid),
    usual: notifications.level,
    choose: (level) =>
      void dispatch(updateSettings({ notifications: withOwnLevel(notifications, account, { cid, level }) })),
  }
}
