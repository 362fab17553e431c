import { useEffect, useId, useRef, useState } from 'react'
import { PASSPHRASE_LENGTH } from '#shared/domain/account-file.ts'
import type { WorkspaceFileLook } from '#shared/domain/sharing.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { focusOnce } from '../../../lib/page/focus.ts'
import { useAppDispatch, useHost } from '../../../store/hooks.ts'
import { addAccountClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { FormHead } from '../CreateWorkspaceForm.tsx'
import sharingStyles from '../sharing/Sharing.module.css'
import {
  MoveMeter,
  useMoveProgress,
  type Progress,
  cancelMoving,
  forgetWorkspaceFile,
  lookIntoWorkspaceFile,
  openWorkspaceFile,
  sendWorkspaceFile,
} from './moving.tsx'
import styles from './Moving.module.css'

/** I have a workspace file: the file, its passphrase, what is in it, and it is open here. */
export function WorkspaceFileForm({ onBack }: { readonly onBack: () => void }) {
  const t = useTexts('session')
  const data = useTexts('data')
  const it = useFile()
  const { step, working, fault } = it
  const back = (): void => {
    it.leave()
    if (step.at === 'choose' && working === undefined) onBack()
  }
  return (
    <form
      key={step.at}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        it.submit()
      }}
    >
      <FormHead
        title={t(step.at === 'look' ? 'moving.openTitle' : 'moving.door')}
        lead={t(`moving.leads.${step.at}`)}
        onBack={back}
      />
      {step.at === 'passphrase' ? (
        <TextField
          label={data('accountFile.passphrase')}
          type="password"
          autoComplete="off"
          maxLength={PASSPHRASE_LENGTH.most}
          ref={focusOnce}
          value={it.passphrase}
          hint={step.name}
          error={fault}
          onChange={it.setPassphrase}
        />
      ) : null}
      {step.at === 'look' ? <Look look={step.look} share={it.share} onShare={it.setShare} /> : null}
      {step.at !== 'passphrase' && fault !== undefined ? (
        <p className={sharingStyles['fault']} role="alert">
          <Icon name="alert-circle" size={16} />
          {fault}
        </p>
      ) : null}
      <div className={styles['actions']}>
        {working === undefined || working === 'looking' ? (
          <Next form={it} />
        ) : (
          <>
            <MoveMeter progress={it.progress} />
            <Button block onClick={it.leave}>
              {data('cancel')}
            </Button>
          </>
        )}
      </div>
    </form>
  )
}

type Form = ReturnType<typeof useFile>

function Next({ form: { step, working, choose } }: { readonly form: Form }) {
  const t = useTexts('session')
  const data = useTexts('data')
  const field = useRef<HTMLInputElement>(null)
  if (step.at !== 'choose')
    return (
      <Button
        type="submit"
        variant="primary"
        size="large"
        block
        working={working !== undefined}
        ref={step.at === 'look' ? focusOnce : undefined}
      >
        {step.at === 'look' ? t('moving.open') : data('accountFile.unlock')}
      </Button>
    )
  return (
    <>
      <Button
        variant="primary"
        size="large"
        block
        icon="file"
        ref={focusOnce}
        working={working !== undefined}
        onClick={() => field.current?.click()}
      >
        {data('accountFile.choose')}
      </Button>
      <input
        ref={field}
        type="file"
        accept=".parlor-workspace"
        hidden
        aria-label={data('accountFile.choose')}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          currentTarget.value = ''
          if (file) choose(file)
        }}
      />
    </>
  )
}

type LookProps = {
  readonly look: WorkspaceFileLook
  readonly share: boolean
  readonly onShare: (on: boolean) => void
}

function Look({ look, share, onShare }: LookProps) {
  const t = useTexts('session')
  const formats = useFormats()
  const shareId = useId()
  const { name, ownerName, savedAt, bytes, keys, shared } = look
  const isAllowed = useHost().managed?.values.AllowLanExposure !== false
  return (
    <div className={styles['body']}>
      <div className={sharingStyles['offer']}>
        <Icon name="laptop" size={22} />
        <span>
          <span className={sharingStyles['strong']}>{name}</span>
          <span className={sharingStyles['more']}>
            {t('moving.ofOwner', { owner: ownerName, when: formats.dayAndTime(savedAt), size: formats.bytes(bytes) })}
          </span>
        </span>
      </div>
      <p className={sharingStyles['more']}>{t(keys ? 'moving.withKeys' : 'moving.withoutKeys')}</p>
      {shared && isAllowed ? (
        <div className={sharingStyles['approve']}>
          <span>
            <span id={shareId} className={sharingStyles['strong']}>
              {t('moving.share')}
            </span>
            <span className={sharingStyles['more']}>{t('moving.shareHint')}</span>
          </span>
          <Switch labelledBy={shareId} on={share} onChange={onShare} />
        </div>
      ) : null}
    </div>
  )
}

type Step =
  | { readonly at: 'choose' }
  | { readonly at: 'passphrase'; readonly id: string; readonly name: string }
  | { readonly at: 'look'; readonly look: WorkspaceFileLook }

type Working = 'reading' | 'looking' | 'placing'

function useFile() {
  const dispatch = useAppDispatch()
  const [step, setStep] = useState<Step>({ at: 'choose' })
  const [working, setWorking] = useState<Working>()
  const [sent, setSent] = useState<Progress>()
  const [passphrase, setPassphrase] = useState('')
  const [share, setShare] = useState(true)
  const message = useRemark()
  const placing = useMoveProgress(working === 'placing')
  const sending = useRef<AbortController>(undefined)
  const fileId = step.at === 'passphrase' ? step.id : step.at === 'look' ? step.look.id : undefined
  useForgetting(fileId, sending)

  const look = async (id: string, name: string, given?: string): Promise<void> => {
    setWorking('looking')
    const seen = await dispatch(lookIntoWorkspaceFile({ id, ...(given === undefined ? {} : { passphrase: given }) }))
    setWorking(undefined)
    if (seen.ok) {
      setPassphrase('')
      return setStep({ at: 'look', look: seen.value })
    }
    if (seen.error.code === 'workspace-file/sealed') return setStep({ at: 'passphrase', id, name })
    if (seen.error.code !== 'workspace-file/passphrase') setStep({ at: 'choose' })
    message.refuse(seen.error)
  }
  const choose = async (file: File): Promise<void> => {
    message.clear()
    const controller = new AbortController()
    sending.current = controller
    setWorking('reading')
    const onSent = (done: number): void => setSent({ step: 'reading', done, total: file.size })
    onSent(0)
    const received = await dispatch(sendWorkspaceFile({ file, signal: controller.signal, onSent }))
    setWorking(undefined)
    if (!received.ok) return message.refuse(received.error)
    if (received.value !== undefined) await look(received.value, file.name)
  }
  const open = async ({ id, shared }: WorkspaceFileLook): Promise<void> => {
    setWorking('placing')
    const opened = await dispatch(openWorkspaceFile({ id, share: shared && share }))
    setWorking(undefined)
    if (!opened.ok) return message.refuse(opened.error)
    if (opened.value) dispatch(addAccountClosed())
  }
  return {
    step,
    working,
    progress: working === 'reading' ? sent : placing,
    passphrase,
    share,
    setShare,
    fault: message.text,
    setPassphrase: (value: string): void => {
      setPassphrase(value)
      message.clear()
    },
    choose: (file: File): void => void choose(file),
    /** Cancels what is being done, or goes back to the choice of a file. */
    leave: (): void => {
      message.clear()
      if (working === 'reading') return sending.current?.abort()
      if (working === 'placing') return void dispatch(cancelMoving(undefined))
      setPassphrase('')
      setStep({ at: 'choose' })
    },
    submit: (): void => {
      if (working !== undefined) return
      message.clear()
      if (step.at === 'passphrase' && passphrase !== '') void look(step.id, step.name, passphrase)
      if (step.at === 'look') void open(step.look)
    },
  }
}

/** A file that is not used any more is deleted, also when the form is left. */
function useForgetting(id: string | undefined, sending: { readonly current: AbortController | undefined }): void {
  const dispatch = useAppDispatch()
  useEffect(() => {
    if (id === undefined) return undefined
    return () => void dispatch(forgetWorkspaceFile({ id }))
  }, [dispatch, id])
  useEffect(() => () => sending.current?.abort(), [sending])
}
