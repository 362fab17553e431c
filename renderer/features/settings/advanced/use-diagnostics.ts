import { useEffect, useState } from 'react'
import type { Diagnostics } from '#shared/domain/desktop/diagnostics.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { askDiagnostics } from '../commands.ts'

/** Rare enough that polling does not affect the figures. */
const POLL_MS = 3_000

/** Diagnostics of the engine, polled while the page is shown. */
export function useDiagnostics(): Diagnostics | undefined {
  const dispatch = useAppDispatch()
  const [diagnostics, setDiagnostics] = useState<Diagnostics>()
  useEffect(() => {
    let isShown = true
    const ask = async (): Promise<void> => {
      const answer = await dispatch(askDiagnostics())
      if (isShown && answer.ok) setDiagnostics(answer.value)
    }
    void ask()
    const timer = setInterval(() => void ask(), POLL_MS)
    return () => {
      isShown = false
      clearInterval(timer)
    }
  }, [dispatch])
  return diagnostics
}
