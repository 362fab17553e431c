import { useEffect } from 'react'
import { useAppDispatch, useAttachCount, useObject } from '../../store/hooks.ts'
import { perAccount } from '../../store/objects.ts'
import { closeReminders, openReminders } from './commands.ts'

/** Counts the components that need the messages of reminders; the engine counts a page only once. */
class Users {
  #count = 0

  readonly enter = (): number => (this.#count += 1)
  readonly leave = (): number => (this.#count -= 1)
}

const USERS = perAccount(() => new Users())

/** Loads the messages of all reminders while `wanted`. */
export function useReminderMessages(wanted: boolean): void {
  const dispatch = useAppDispatch()
  const attached = useAttachCount()
  const users = useObject(USERS)
  useEffect(() => {
    if (!wanted) return undefined
    if (users.enter() === 1 || attached > 1) void dispatch(openReminders())
    return () => {
      if (users.leave() === 0) void dispatch(closeReminders())
    }
  }, [dispatch, users, wanted, attached])
}
