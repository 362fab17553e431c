import { useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Result } from '#shared/lib/result.ts'
import { useErrorText } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/ui.ts'

/** A dialog that does one thing: it waits for the answer, and says why when it was refused. */
export function useQuestion(): {
  readonly working: boolean
  readonly error: string | undefined
  readonly setError: (error: string | undefined) => void
  readonly close: () => void
  /** Runs the deed; true when it was done. */
  readonly run: (deed: Promise<Result<unknown, ErrorBody>>) => Promise<boolean>
} {
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const [working, setWorking] = useState(false)
  const [error, setError] = useState<string>()
  return {
    working,
    error,
    setError,
    close: () => void dispatch(dialogClosed()),
    run: async (deed) => {
      setWorking(true)
      setError(undefined)
      const done = await deed
      setWorking(false)
      if (!done.ok) setError(errorText(done.error))
      return done.ok
    },
  }
}
