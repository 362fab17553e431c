import type { NotificationChoices } from '#shared/domain/notification.ts'
import { useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { updateSettings } from '../commands.ts'

/** What is chosen about notifications, and a way to change some of it. */
export function useChoices(): readonly [NotificationChoices, (changes: Partial<NotificationChoices>) => void] {
  const dispatch = useAppDispatch()
  const { notifications } = useSettings()
  return [
    notifications,
    (changes) => void dispatch(updateSettings({ notifications: { ...notifications, ...changes } })),
  ]
}
