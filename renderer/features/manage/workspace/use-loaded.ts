import { useCallback, useEffect, useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Command } from '../../../store/command.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { useTopic } from '../index.ts'

/** Something of the workspace, loaded again whenever its settings change; what is shown stays meanwhile. */
export function useLoaded<Value>(load: (input: void) => Command<Value>): {
  readonly value?: Value
  readonly error?: ErrorBody
  readonly loading: boolean
  readonly again: () => void
} {
  const dispatch = useAppDispatch()
  const version = useTopic('settings')
  const [asked, setAsked] = useState(0)
  const [state, setState] = useState<{ value?: Value; error?: ErrorBody }>({})
  useEffect(() => {
    // Loaded again when these rise.
    if (version < 0 || asked < 0) return undefined
    let wanted = true
    const ask = async (): Promise<void> => {
      const loaded = await dispatch(load())
      if (wanted) setState((before) => (loaded.ok ? { value: loaded.value } : { ...before, error: loaded.error }))
    }
    void ask()
    return () => {
      wanted = false
    }
  }, [dispatch, load, version, asked])
  return {
    ...state,
    loading: state.value === undefined && state.error === undefined,
    again: useCallback(() => setAsked((times) => times + 1), []),
  }
}
