import type { NotifyLevel } from '#shared/domain/notification.ts'
import { ownLevel, withOwnLevel } from '#shared/rules/notifications/notify-levels.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { useAppDispatch, useSession, useSetting } from '../../store/hooks.ts'
import { updateSettings } from '../settings/index.ts'

type Level = {
  /** The channel's own level; absent: the default. */
  readonly own: NotifyLevel | undefined
  /** The default for channels without their own. */
  readonly usual: NotifyLevel
  readonly choose: (level: NotifyLevel | undefined) => void
}

/** The notification level of a channel, and a function to change it. */
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
