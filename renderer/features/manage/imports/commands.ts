import { useEffect } from 'react'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { ImportSource, ImportState } from '#shared/domain/imports.ts'
import { chunksOf } from '../../../bridge/chunks.ts'
import { command } from '../../../store/command.ts'
import { sendCommand } from '../../../store/commands.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { useWatched, type Watched } from '../../../store/watched.ts'

/** Errors are shown in place. */
const quiet = { quiet: true }

const askImport = command('imports/asked', (_: void, engine) => engine.imports.state(), quiet)
export const startImport = command(
  'imports/started',
  (input: Parameters<EngineClient['imports']['start']>[0], engine) => engine.imports.start(input),
  quiet,
)
export const pauseImport = command('imports/paused', (_: void, engine) => engine.imports.pause(), quiet)
export const continueImport = command('imports/continued', (_: void, engine) => engine.imports.continue(), quiet)
export const stopImport = command('imports/stopped', (_: void, engine) => engine.imports.stop(), quiet)
export const undoImport = command('imports/undone', (_: void, engine) => engine.imports.undo(), quiet)
export const closeImport = command('imports/closed', (_: void, engine) => engine.imports.close(), quiet)
export const saveReport = command('imports/reportSaved', (_: void, engine) => engine.imports.saveReport())
export const showReport = command('imports/reportShown', (_: void, engine) =>
  engine.data.showFolder({ which: 'exported' }),
)

/** A file of an export, with its path in it. */
export type ExportFile = { readonly path: string; readonly file: File }

type Handed = {
  readonly source: ImportSource
  readonly name: string
  readonly files: readonly ExportFile[]
  readonly signal: AbortSignal
  /** Bytes so far. */
  readonly onProgress: (bytes: number) => void
}

/** Hands an export over and has it read; `undefined` when it was cancelled. */
export const handOver = command(
  'imports/handedOver',
  async ({ source, name, files, signal, onProgress }: Handed, engine): Promise<ImportState | undefined> => {
    const { id } = await engine.imports.begin({ source, name })
    try {
      let before = 0
      for (const { path, file } of files) {
        for await (const { base64, from } of chunksOf(file)) {
          if (signal.aborted) return void (await engine.imports.close())
          onProgress(before + from)
          await engine.imports.piece({ id, path, base64 })
        }
        if (file.size === 0) await engine.imports.piece({ id, path, base64: '' })
        before += file.size
      }
      return await engine.imports.check({ id })
    } catch (error) {
      // What was copied so far is of no use. Why it failed is what the user is told, even if this fails, too.
      await engine.imports.close().catch(() => undefined)
      throw error
    }
  },
  quiet,
)

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
