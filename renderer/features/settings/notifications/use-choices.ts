import type { NotificationChoices } from '#shared/domain/notification.ts'
import { useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { updateSettings } from '../commands.ts'

/** The notification settings, and a function that changes some. */
export function useChoices(): readonly [NotificationChoices, (changes: Partial<NotificationChoices>) => void] {
  const dispatch = useAppDispatch()
  const { notifications } = useSettings()
  return [
    notifications,
    (changes) => void dispatch(updateSettings({ notifications: { ...notifications, ...changes } })),
  ]
}
