import { useEffect } from 'react'
import type { ImportState } from '#shared/domain/imports.ts'
import { sendCommand } from '../../../store/commands.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { useWatched, type Watched } from '../../../store/watched.ts'
import { askImport } from './commands.ts'

/** How often it is asked for while it moves. */
const ASK_MS = 500

const MOVING: ReadonlySet<string> = new Set(['reading', 'running', 'undoing'])

/** How much is done, 0 to 1; never all of it before it is. */
export const shareOf = ({ done, total }: { readonly done: number; readonly total: number }): number =>
  total === 0 ? 1 : Math.floor((Math.min(done, total) / total) * 100) / 100

export type Import = Watched<ImportState, ImportState | undefined>

/** The import of the workspace in this window; follows it while it moves. */
export function useImport(on: boolean): Import {
  const dispatch = useAppDispatch()
  const { again, ...watched } = useWatched<ImportState, ImportState | undefined>({
    ask: askImport,
    changed: 'importChanged',
    on,
  })
  const { state } = watched
  useEffect(() => {
    if (state === undefined || !MOVING.has(state.progress.step)) return undefined
    const timer = setTimeout(again, ASK_MS)
    return () => clearTimeout(timer)
  }, [again, state])
  const run: Import['run'] = async (command) => {
    const result = await watched.run(command)
    // The chip follows it, too.
    dispatch(sendCommand('importChanged'))
    return result
  }
  return { ...watched, run }
}
