import { useEffect } from 'react'
import { useAppDispatch, useAttachCount } from '../../store/hooks.ts'
import { closeReminders, openReminders } from './commands.ts'

/** Number of components that need the messages of reminders; the engine counts a page only once. */
let users = 0

/** Loads the messages of all reminders while `wanted`. */
export function useReminderMessages(wanted: boolean): void {
  const dispatch = useAppDispatch()
  const attached = useAttachCount()
  useEffect(() => {
    if (!wanted) return undefined
    users += 1
    if (users === 1 || attached > 1) void dispatch(openReminders())
    return () => {
      users -= 1
      if (users === 0) void dispatch(closeReminders())
    }
  }, [dispatch, wanted, attached])
}
