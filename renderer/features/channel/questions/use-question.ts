import { useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Result } from '#shared/lib/result.ts'
import { useRemark } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'

/** A dialog that does one thing: it waits for the answer, and says why when it was refused. */
export function useQuestion<Own = never>(
  textOf?: (own: Own) => string,
): {
  readonly working: boolean
  readonly error: string | undefined
  /** A mistake that is found before anything is asked of the engine. */
  readonly say: (own: Own) => void
  readonly clear: () => void
  readonly close: () => void
  /** Runs the deed; true when it was done. */
  readonly run: (deed: Promise<Result<unknown, ErrorBody>>) => Promise<boolean>
} {
  const dispatch = useAppDispatch()
  const [working, setWorking] = useState(false)
  const { text: error, say, refuse, clear } = useRemark(textOf)
  return {
    working,
    error,
    say,
    clear,
    close: () => void dispatch(dialogClosed()),
    run: async (deed) => {
      setWorking(true)
      clear()
      const done = await deed
      setWorking(false)
      if (!done.ok) refuse(done.error)
      return done.ok
    },
  }
}
