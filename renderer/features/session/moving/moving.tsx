import { useEffect, useRef, useState } from 'react'
import type { MoveProgress } from '#shared/domain/sharing.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useCommand } from '../../../store/commands.ts'
import { FILE_PIECE_BYTES } from '#shared/constants.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { toBase64 } from '../../../lib/files/base64.ts'
import { command } from '../../../store/command.ts'
import styles from './Moving.module.css'

/** `reading`: it is being sent to main. */
type Step = MoveProgress['step'] | 'reading'
export type Progress = { readonly step: Step; readonly done: number; readonly total: number }

/** What main says of the file of this window while it works. */
export function useMoveProgress(on: boolean): MoveProgress | undefined {
  const [progress, setProgress] = useState<MoveProgress>()
  useCommand('moveProgressed', setProgress, on)
  return on ? progress : undefined
}

/** How far it is; said once for each step. */
export function MoveMeter({ progress }: { readonly progress: Progress | undefined }) {
  const t = useTexts('session')
  const formats = useFormats()
  const said = useRef<Step>(undefined)
  const { step = 'writing', done = 0, total = 0 } = progress ?? {}
  useEffect(() => {
    if (progress === undefined || said.current === step) return
    said.current = step
    announce(t(`moving.steps.${step}`))
  }, [progress, step, t])
  return (
    <div className={styles['meter']}>
      <div className={styles['step']}>
        <span>{t(`moving.steps.${step}`)}</span>
        <span className={styles['bytes']}>
          {total === 0 ? null : t('moving.of', { done: formats.bytes(done), total: formats.bytes(total) })}
        </span>
      </div>
      <progress
        className={styles['bar']}
        aria-label={t(`moving.steps.${step}`)}
        max={1}
        value={total === 0 ? 0 : done / total}
      />
    </div>
  )
}

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
