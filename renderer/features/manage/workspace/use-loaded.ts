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
    let wanted = true
    void dispatch(load()).then((loaded) => {
      if (wanted) setState((before) => (loaded.ok ? { value: loaded.value } : { ...before, error: loaded.error }))
    })
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
