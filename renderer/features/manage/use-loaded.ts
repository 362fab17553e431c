import { useCallback, useEffect, useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Command } from '../../store/command.ts'
import { useAppDispatch } from '../../store/hooks.ts'

type Loaded<Value> = {
  readonly value?: Value
  readonly error?: ErrorBody
  /** There is neither a value nor an error yet. */
  readonly loading: boolean
  /** The latest question is not answered yet; what is shown is the answer to an earlier one. */
  readonly asking: boolean
  readonly again: () => void
}

/** For what belongs to the open item of a list: someone who only passes by with the keys needs nothing loaded. */
export const BROWSING_PAUSE_MS = 120

/**
 * The answer to a command, asked for again whenever `version` changes; the value stays meanwhile, and when that fails.
 * The answer to another command is never shown.
 *
 * @param load must not change between renders; `undefined`: there is nothing to ask for
 * @param pauseMs how long `load` must have been the same before it is asked for
 */
export function useLoaded<Value>(
  load: Command<Value> | undefined,
  version: number | string = 0,
  pauseMs = 0,
): Loaded<Value> {
  const dispatch = useAppDispatch()
  const [times, setTimes] = useState(0)
  const round = `${version} ${times}`
  const [state, setState] = useState<{ of?: Command<Value>; round?: string; value?: Value; error?: ErrorBody }>({})
  useEffect(() => {
    if (load === undefined) return undefined
    let wanted = true
    const ask = async (): Promise<void> => {
      const loaded = await dispatch(load)
      if (!wanted) return
      const answered = { of: load, round }
      setState((before) =>
        loaded.ok
          ? { ...answered, value: loaded.value }
          : { ...answered, value: before.of === load ? before.value : undefined, error: loaded.error },
      )
    }
    if (pauseMs === 0) void ask()
    const timer = pauseMs === 0 ? undefined : setTimeout(() => void ask(), pauseMs)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [dispatch, load, round, pauseMs])
  const here = load !== undefined && state.of === load ? state : undefined
  return {
    value: here?.value,
    error: here?.error,
    loading: load !== undefined && here === undefined,
    asking: load !== undefined && here?.round !== round,
    again: useCallback(() => setTimes((before) => before + 1), []),
  }
}
