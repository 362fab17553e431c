import { useEffect } from 'react'
import { useAppDispatch, useAttachCount } from '../../store/hooks.ts'
import { closeLater, openLater } from './commands.ts'

/** How many parts of this page need the messages of the reminders; the engine counts a page once. */
let users = 0

/** Brings the messages of all reminders along while `wanted`. */
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
