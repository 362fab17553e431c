import { useEffect } from 'react'
import { useAppDispatch, useAttachCount } from '../../store/hooks.ts'
import { closeLater, openLater } from './commands.ts'

/** Number of components that need the messages of reminders; the engine counts a page only once. */
let users = 0

/** Loads the messages of all reminders while `wanted`. */
export function useLater(wanted: boolean): void {
  const dispatch = useAppDispatch()
  const attached = useAttachCount()
  useEffect(() => {
    if (!wanted) return undefined
    users += 1
    if (users === 1 || attached > 1) void dispatch(openLater())
    return () => {
      users -= 1
      if (users === 0) void dispatch(closeLater())
    }
  }, [dispatch, wanted, attached])
}
