import { command } from '../../../store/command.ts'

export const askDownloads = command('downloads/asked', (_input: undefined, engine) => engine.desktop.downloads(), {
  quiet: true,
})
/** Quiet: the dialog shows the error. */
export const doDownload = command(
  'downloads/done',
  (input: { readonly id: string; readonly what: 'open' | 'show' | 'again' | 'cancel' }, engine) =>
    engine.desktop.download(input),
  { quiet: true },
)
export const clearDownloads = command('downloads/cleared', (_input: undefined, engine) =>
  engine.desktop.clearDownloads(),
)
