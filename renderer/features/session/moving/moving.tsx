import { useEffect, useRef, useState, useId } from 'react'
import type { MoveProgress, SavedWorkspace } from '#shared/domain/sharing.ts'
import { useFormats, useTexts, useRemark } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useCommand } from '../../../store/commands.ts'
import { FILE_PIECE_BYTES } from '#shared/constants.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { toBase64 } from '../../../lib/files/base64.ts'
import { command } from '../../../store/command.ts'
import { useAppDispatch, useSession } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { NewPassphraseFields, useNewPassphrase } from '../../../ui/Field/Passphrase.tsx'
import styles from './Moving.module.css'
import sharingStyles from '../sharing/Sharing.module.css'

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

const saveWorkspace = command(
  'moving/saved',
  (input: { readonly passphrase?: string }, engine) => engine.moving.save(input),
  QUIET,
)
export const cancelMoving = command('moving/canceled', (_input: undefined, engine) => engine.moving.cancel(), QUIET)
const finishMoving = command('moving/finished', (_input: undefined, engine) => engine.moving.finish(), QUIET)

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

/** Saves the workspace of this window to one file, and puts it aside here. */
export function MoveWorkspace() {
  const t = useTexts('session')
  const common = useTexts('common')
  const it = useMoving()
  const { workspace } = useSession()
  const progress = useMoveProgress(it.working)
  const protectId = useId()
  if (it.saved) return <Saved saved={it.saved} />
  return (
    <Dialog
      title={t('moving.title')}
      width={480}
      onClose={it.close}
      onSubmit={it.submit}
      actions={
        <>
          <Button onClick={it.close}>{common('cancel')}</Button>
          <Button variant="primary" type="submit" working={it.working}>
            {t('moving.save')}
          </Button>
        </>
      }
    >
      <div className={styles['body']}>
        {it.working ? (
          <>
            <DialogText>{t('moving.stopped')}</DialogText>
            <MoveMeter progress={progress} />
          </>
        ) : (
          <>
            <DialogText>{t('moving.lead', { name: workspace?.name ?? '' })}</DialogText>
            <DialogText muted>{t('moving.aside')}</DialogText>
            <div className={sharingStyles['approve']}>
              <span>
                <span id={protectId} className={sharingStyles['strong']}>
                  {t('moving.protect')}
                </span>
                <span className={sharingStyles['more']}>
                  {t(it.protects ? 'moving.protectHint' : 'moving.openHint')}
                </span>
              </span>
              <Switch labelledBy={protectId} on={it.protects} onChange={it.setProtects} />
            </div>
            {it.protects ? <NewPassphraseFields form={it.passphrase} /> : null}
          </>
        )}
        <Refusal text={it.fault} />
      </div>
    </Dialog>
  )
}

function Saved({ saved: { fileName: file, folderName: folder, keys } }: { readonly saved: SavedWorkspace }) {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const last = useRef<HTMLButtonElement>(null)
  const formMessage = useRemark()
  const close = async (): Promise<void> => {
    const done = await dispatch(finishMoving(undefined))
    if (done.ok) dispatch(dialogClosed())
    else formMessage.refuse(done.error)
  }
  return (
    <Dialog
      key="saved"
      title={t('moving.savedTitle')}
      width={480}
      initialFocus={last}
      onClose={() => void close()}
      actions={
        <Button ref={last} variant="primary" onClick={() => void close()}>
          {t('moving.done')}
        </Button>
      }
    >
      <div className={styles['body']}>
        <p role="status">{t('moving.saved', { file, folder })}</p>
        <DialogText>{t('moving.next')}</DialogText>
        <DialogText muted>{t(keys ? 'moving.nextKeys' : 'moving.nextOpen')}</DialogText>
        <Refusal text={formMessage.text} />
      </div>
    </Dialog>
  )
}

function useMoving() {
  const dispatch = useAppDispatch()
  const passphrase = useNewPassphrase()
  const [protects, setProtects] = useState(true)
  const [working, setWorking] = useState(false)
  const [saved, setSaved] = useState<SavedWorkspace>()
  const formMessage = useRemark()
  const leaving = useRef(false)
  const run = async (given: string | undefined): Promise<void> => {
    setWorking(true)
    leaving.current = false
    const answer = await dispatch(saveWorkspace({ passphrase: given }))
    setWorking(false)
    if (!answer.ok) return formMessage.refuse(answer.error)
    if (answer.value.saved) {
      passphrase.forget()
      return setSaved(answer.value.saved)
    }
    if (leaving.current) dispatch(dialogClosed())
  }
  return {
    passphrase,
    protects,
    setProtects,
    working,
    saved,
    fault: formMessage.text,
    /** While it works, what was begun is canceled first: it may be done already, and then the dialog says so. */
    close: (): void => {
      if (!working) return void dispatch(dialogClosed())
      leaving.current = true
      void dispatch(cancelMoving(undefined))
    },
    submit: (): void => {
      if (working) return
      formMessage.clear()
      const given = protects ? passphrase.check() : undefined
      if (given !== undefined || !protects) void run(given)
    },
  }
}
