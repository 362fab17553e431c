import { useEffect, useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Result } from '#shared/lib/result.ts'

/** Someone who only passes by with J and K needs nothing loaded. */
const PAUSE_MS = 120

/** What belongs to the open item, loaded after a short pause; `undefined` until then. */
export function useLoaded<Value>(
  key: string | undefined,
  version: number,
  load: () => Promise<Result<Value, ErrorBody>>,
): { readonly value?: Value; readonly error?: ErrorBody; readonly again: () => void } {
  const [state, setState] = useState<{ readonly key?: string; readonly value?: Value; readonly error?: ErrorBody }>({})
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    if (key === undefined) return undefined
    let isWanted = true
    const ask = async (): Promise<void> => {
      const loaded = await load()
      if (!isWanted) return
      setState((before) =>
        loaded.ok
          ? { key, value: loaded.value }
          : { key, value: before.key === key ? before.value : undefined, error: loaded.error },
      )
    }
    const timer = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
    // `load` is new at each render; the key says what it loads.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key, version, asked])
  const here = state.key === key ? state : undefined
  return { value: here?.value, error: here?.error, again: () => setAsked((times) => times + 1) }
}
