import { useCallback, useEffect, useRef, useState } from 'react'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import type { Command } from './command.ts'
import { useCommand } from './commands.ts'
import { useAppDispatch } from './hooks.ts'

/** Something of main that a part of the window shows and changes. */
export type Watched<State, Given = State> = {
  /** Absent until the first response. */
  readonly state: State | undefined
  /** Why the last command failed, or the state is not known. */
  readonly error: ErrorBody | undefined
  readonly working: boolean
  /** Runs a command whose response is the new state. */
  readonly run: (command: Command<Given>) => Promise<Result<Given, ErrorBody>>
}

type Options<State> = {
  /** Asks for the state. Must not change between renders. */
  readonly ask: () => Command<State | undefined>
  /** What other parts of the window send when it may have changed. */
  readonly changed: 'sharingChanged' | 'importChanged'
  readonly on: boolean
}

/**
 * Follows a state of main while `on`: it is asked for now, and whenever it may have changed. Only the response to the
 * latest question counts. After a question that failed the state is another object with the same content, so that
 * whoever asks again after a while does.
 */
export function useWatched<State extends object, Given extends State | undefined = State>({
  ask,
  changed,
  on,
}: Options<State>): Watched<State, Given> & { readonly again: () => void } {
  const dispatch = useAppDispatch()
  const [state, setState] = useState<State>()
  const [error, setError] = useState<ErrorBody>()
  /** Over as soon as the state is known. */
  const [askError, setAskError] = useState<ErrorBody>()
  const [working, setWorking] = useState(false)
  const asked = useRef(0)
  const again = useCallback((): void => {
    asked.current += 1
    const mine = asked.current
    const take = async (): Promise<void> => {
      const result = await dispatch(ask())
      if (mine !== asked.current) return
      setState((before) => (result.ok ? result.value : before && { ...before }))
      setAskError(result.ok ? undefined : result.error)
    }
    void take()
  }, [dispatch, ask])
  useEffect(() => {
    if (!on) return undefined
    again()
    return () => {
      asked.current += 1
    }
  }, [again, on])
  useCommand(changed, again, on)
  const run = async (command: Command<Given>): Promise<Result<Given, ErrorBody>> => {
    setWorking(true)
    setError(undefined)
    const result = await dispatch(command)
    setWorking(false)
    if (!result.ok) setError(result.error)
    else if (result.value !== undefined) {
      // Whatever was asked before is older.
      asked.current += 1
      setState(result.value)
    }
    return result
  }
  return { state: on ? state : undefined, error: error ?? askError, working, run, again }
}
