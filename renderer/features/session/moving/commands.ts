import { FILE_PIECE_BYTES } from '#shared/constants.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { toBase64 } from '../../../lib/files/base64.ts'
import { command } from '../../../store/command.ts'

/** Quiet: the dialog or the form shows the error. */
const QUIET = { quiet: true }

export const saveWorkspace = command(
  'moving/saved',
  (input: { readonly passphrase?: string }, engine) => engine.moving.save(input),
  QUIET,
)
export const cancelMoving = command('moving/canceled', (_input: undefined, engine) => engine.moving.cancel(), QUIET)
export const finishMoving = command('moving/finished', (_input: undefined, engine) => engine.moving.finish(), QUIET)

type Sending = {
  readonly file: File
  readonly signal: AbortSignal
  /** In bytes. */
  readonly onSent: (done: number) => void
}

/** Sends a workspace file to main in pieces; `undefined` if it was aborted. */
export const sendWorkspaceFile = command(
  'moving/received',
  async ({ file, signal, onSent }: Sending, engine): Promise<string | undefined> => {
    if (file.size === 0) throw new AppError('workspace-file/not-one')
    let id: string | undefined
    let at = 0
    do {
      const bytes = new Uint8Array(await file.slice(at, at + FILE_PIECE_BYTES).arrayBuffer())
      at += bytes.length
      ;({ id } = await engine.moving.receive({ id, base64: toBase64(bytes) }))
      onSent(at)
    } while (at < file.size && !signal.aborted)
    if (!signal.aborted) return id
    await engine.moving.forget({ id })
    return undefined
  },
  QUIET,
)
export const lookIntoWorkspaceFile = command(
  'moving/looked',
  (input: { readonly id: string; readonly passphrase?: string }, engine) => engine.moving.look(input),
  QUIET,
)
export const openWorkspaceFile = command(
  'moving/opened',
  (input: { readonly id: string; readonly share: boolean }, engine) => engine.moving.open(input),
  QUIET,
)
export const forgetWorkspaceFile = command(
  'moving/forgotten',
  (input: { readonly id: string }, engine) => engine.moving.forget(input),
  QUIET,
)
