import type { ExportFormat } from '#shared/domain/export.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { command } from '../../../store/command.ts'

/** Errors are shown in the dialog. */
export const exportMessages = command(
  'data/exported',
  (input: { readonly cid?: Cid; readonly format: ExportFormat }, engine) =>
    engine.data.exportMessages({
      format: input.format,
      ...(input.cid === undefined ? {} : { cid: input.cid }),
    }),
  { quiet: true },
)
export const clearCache = command('data/cacheCleared', (_input: void, engine) => engine.data.clearCache())
export const showFolder = command('data/folderShown', (which: 'profile' | 'exported', engine) =>
  engine.data.showFolder({ which }),
)
export const askLog = command('data/logAsked', (_input: void, engine) => engine.data.log())
