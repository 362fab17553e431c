import { useEffect, useState } from 'react'
import type { Diagnostics } from '#shared/domain/desktop/diagnostics.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { askDiagnostics } from '../commands.ts'

/** Often enough to see it move, seldom enough not to be what is measured. */
const EVERY_MS = 3_000

/** How the engine fares, asked again and again while the page is shown. */
export function useDiagnostics(): Diagnostics | undefined {
  const dispatch = useAppDispatch()
  const [known, setKnown] = useState<Diagnostics>()
  useEffect(() => {
    let isShown = true
    const ask = async (): Promise<void> => {
      const answer = await dispatch(askDiagnostics())
      if (isShown && answer.ok) setKnown(answer.value)
    }
    void ask()
    const timer = setInterval(() => void ask(), EVERY_MS)
    return () => {
      isShown = false
      clearInterval(timer)
    }
  }, [dispatch])
  return known
}
