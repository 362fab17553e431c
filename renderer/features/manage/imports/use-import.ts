import { useCallback, useEffect, useRef, useState } from 'react'
import type { ImportState } from '#shared/domain/imports.ts'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import type { Command } from '../../../store/command.ts'
import { sendCommand, useCommand } from '../../../store/commands.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { askImport } from './commands.ts'

/** How often it is asked for while it moves. */
const ASK_MS = 500

const MOVING: ReadonlySet<string> = new Set(['reading', 'running', 'undoing'])

/** How much is done, 0 to 1; never all of it before it is. */
export const shareOf = ({ done, total }: { readonly done: number; readonly total: number }): number =>
  total === 0 ? 1 : Math.floor((Math.min(done, total) / total) * 100) / 100

export type Import = {
  /** Absent until the first response. */
  readonly state: ImportState | undefined
  /** Why the state is not known, or the last command failed. */
  readonly error: ErrorBody | undefined
  readonly working: boolean
  /** Runs a command whose response is the new state. */
  readonly run: (command: Command<ImportState | undefined>) => Promise<Result<ImportState | undefined, ErrorBody>>
}

/** The import of the workspace in this window; follows it while it moves. */
export function useImport(on: boolean): Import {
  const dispatch = useAppDispatch()
  const [state, setState] = useState<ImportState>()
  /** Why the last command failed. */
  const [error, setError] = useState<ErrorBody>()
  /** Why the state is not known; over as soon as it is. */
  const [askError, setAskError] = useState<ErrorBody>()
  const [working, setWorking] = useState(false)
  /** Only the latest response counts. */
  const asked = useRef(0)
  const ask = useCallback((): void => {
    asked.current += 1
    const mine = asked.current
    const take = async (): Promise<void> => {
      const result = await dispatch(askImport())
      if (mine !== asked.current) return
      // After a failure the same state again: it is asked for once more.
      setState((before) => (result.ok ? result.value : before && { ...before }))
      setAskError(result.ok ? undefined : result.error)
    }
    void take()
  }, [dispatch])
  useEffect(() => {
    if (!on) return undefined
    ask()
    return () => {
      asked.current += 1
    }
  }, [ask, on])
  useCommand('importChanged', ask, on)
  useEffect(() => {
    if (!on || state === undefined || !MOVING.has(state.progress.step)) return undefined
    const timer = setTimeout(ask, ASK_MS)
    return () => clearTimeout(timer)
  }, [ask, on, state])
  const run: Import['run'] = async (command) => {
    setWorking(true)
    setError(undefined)
    const result = await dispatch(command)
    setWorking(false)
    if (result.ok && result.value !== undefined) setState(result.value)
    if (!result.ok) setError(result.error)
    // The chip follows it, too.
    dispatch(sendCommand('importChanged'))
    return result
  }
  return { state: on ? state : undefined, error: error ?? askError, working, run }
}
