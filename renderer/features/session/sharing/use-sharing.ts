import { useCallback, useEffect, useRef, useState } from 'react'
import type { SharingState } from '#shared/domain/sharing.ts'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import { useCommand } from '../../../store/commands.ts'
import type { Command } from '../../../store/command.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { askSharing } from './commands.ts'

export type Sharing = {
  /** Absent until the first response. */
  readonly state: SharingState | undefined
  readonly error: ErrorBody | undefined
  readonly working: boolean
  /** Runs a command whose response is the new state. */
  readonly run: (command: Command<SharingState>) => Promise<Result<SharingState, ErrorBody>>
}

/** Sharing of the workspace in this window; follows every change. */
export function useSharing(on: boolean): Sharing {
  const dispatch = useAppDispatch()
  const [state, setState] = useState<SharingState>()
  /** Why the last command failed. */
  const [error, setError] = useState<ErrorBody>()
  /** Why the state is not known; over as soon as it is. */
  const [askError, setAskError] = useState<ErrorBody>()
  const [working, setWorking] = useState(false)
  /** Only the latest response counts. */
  const asked = useRef(0)
  const take = useCallback((mine: number, result: Result<SharingState, ErrorBody>): void => {
    if (mine !== asked.current) return
    if (result.ok) setState(result.value)
    setAskError(result.ok ? undefined : result.error)
  }, [])
  const ask = useCallback((): void => {
    asked.current += 1
    const mine = asked.current
    void dispatch(askSharing(undefined)).then((result) => take(mine, result))
  }, [dispatch, take])
  useEffect(() => {
    if (!on) return undefined
    ask()
    return () => {
      asked.current += 1
    }
  }, [ask, on])
  useCommand('sharingChanged', ask, on)
  const run: Sharing['run'] = async (command) => {
    setWorking(true)
    setError(undefined)
    const result = await dispatch(command)
    setWorking(false)
    if (result.ok) {
      asked.current += 1
      setState(result.value)
    } else setError(result.error)
    return result
  }
  return { state: on ? state : undefined, error: error ?? askError, working, run }
}
