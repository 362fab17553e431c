import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { PASSPHRASE_LENGTH, type AccountFileLook } from '#shared/domain/account-file.ts'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { accountSwitchStarted, addAccountOpened, dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { channelTitle } from '../../sidebar/index.ts'
import { SwitchRow } from '../controls/SettingRow.tsx'
import { AccountFileParts } from './SaveAccountFile.tsx'
import { closeAccountFile, lookIntoAccountFile, openAccountFile, takeAccountFile } from './commands.ts'
import styles from './AccountFile.module.css'

/**
 * Opens an account file: choose it, enter its passphrase, see what is in it and what becomes of it here, and take it. `id`:
 * a file that was opened in another account, before this window switched to its own.
 */
export function OpenAccountFile({ id }: { readonly id?: string }) {
  const t = useTexts('data')
  const it = useOpening(id)
  const { step, working, fault } = it
  const next = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      key={step.at}
      initialFocus={next}
      title={t('accountFile.openTitle')}
      width={480}
      onClose={it.close}
      onSubmit={it.submit}
      hint={<span role="status">{working === undefined ? null : t(`accountFile.${working}`)}</span>}
      actions={
        <>
          <Button ref={step.at === 'done' || step.at === 'settings' ? next : undefined} onClick={it.close}>
            {t(step.at === 'done' || step.at === 'settings' ? 'close' : 'cancel')}
          </Button>
          <Next opening={it} focus={next} />
        </>
      }
    >
      <div className={styles['body']}>
        {step.at === 'choose' ? <ChooseFile opening={it} focus={next} /> : null}
        {step.at === 'passphrase' ? (
          <TextField
            label={t('accountFile.passphrase')}
            type="password"
            autoComplete="off"
            maxLength={PASSPHRASE_LENGTH.most}
            value={it.passphrase}
            onChange={it.setPassphrase}
            error={fault}
            hint={step.name}
          />
        ) : (
          <Refusal text={fault} />
        )}
        {step.at === 'look' ? <Look look={step.look} /> : null}
        {step.at === 'look' && step.look.newerHere > 0 ? (
          <SwitchRow
            title={t('accountFile.prefer')}
            hint={t('accountFile.preferHint', { count: step.look.newerHere })}
            on={it.prefersFile}
            onChange={it.setPrefersFile}
          />
        ) : null}
        {step.at === 'done' ? <Done look={step.look} /> : null}
        {step.at === 'settings' ? <p role="status">{step.text}</p> : null}
      </div>
    </Dialog>
  )
}

type Opening = ReturnType<typeof useOpening>
/** `focus`: the control of a step that has the focus first. */
type StepProps = { readonly opening: Opening; readonly focus: RefObject<HTMLButtonElement | null> }

function ChooseFile({ opening, focus }: StepProps) {
  const t = useTexts('data')
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <DialogText>{t('accountFile.chooseHint')}</DialogText>
      <Button ref={focus} icon="file" working={opening.working !== undefined} onClick={() => field.current?.click()}>
        {t('accountFile.choose')}
      </Button>
      <input
        ref={field}
        type="file"
        accept=".parlor,.json"
        hidden
        aria-label={t('accountFile.choose')}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          currentTarget.value = ''
          if (file) opening.choose(file)
        }}
      />
    </>
  )
}

/** The primary button of each step. */
function Next({ opening: { step, working, goTo, signIn }, focus }: StepProps) {
  const t = useTexts('data')
  if (step.at === 'passphrase')
    return (
      <Button variant="primary" type="submit" working={working !== undefined}>
        {t('accountFile.unlock')}
      </Button>
    )
  if (step.at !== 'look') return null
  const { owner } = step.look
  if (owner.isShown)
    return (
      <Button ref={focus} variant="primary" type="submit" working={working !== undefined}>
        {t('accountFile.take')}
      </Button>
    )
  const { key } = owner
  return key === undefined ? (
    <Button ref={focus} variant="primary" onClick={signIn}>
      {t('accountFile.signIn')}
    </Button>
  ) : (
    <Button ref={focus} variant="primary" onClick={() => goTo(key)}>
      {t('accountFile.goTo', { name: owner.userName })}
    </Button>
  )
}

function Look({ look }: { readonly look: AccountFileLook }) {
  const t = useTexts('data')
  const formats = useFormats()
  const { owner, parts, savedAt, invalid } = look
  const { userName: name, workspaceName: workspace, shownName: me } = owner
  if (!owner.isShown || parts === undefined)
    return (
      <>
        <DialogText>{t('accountFile.other', { name, workspace, me })}</DialogText>
        {owner.key === undefined ? <DialogText muted>{t('accountFile.signInHint')}</DialogText> : null}
      </>
    )
  return (
    <>
      <DialogText>{t('accountFile.of', { name, workspace, when: formats.dayAndTime(savedAt) })}</DialogText>
      <AccountFileParts title={t('accountFile.inIt')} parts={parts} />
      <Sends look={look} />
      <DialogText muted>{t('accountFile.rules')}</DialogText>
      {invalid === 0 ? null : <DialogText>{t('accountFile.invalid', { count: invalid })}</DialogText>}
    </>
  )
}

/** The messages that this device will send too: the person sees them before. */
function Sends({ look: { sends, parts } }: { readonly look: AccountFileLook }) {
  const t = useTexts('data')
  const count = parts?.messages.added ?? 0
  if (count === 0) return null
  return (
    <>
      <DialogText>{t('accountFile.sends', { count })}</DialogText>
      <ul className={styles['sends']} aria-label={t('accountFile.parts.messages')}>
        {sends.map(({ text, cid }, index) => (
          <li key={`${index} ${cid}`}>
            <Send text={text} cid={cid} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Send({ text, cid }: AccountFileLook['sends'][number]) {
  const title = useAppSelector((state) => channelTitle(state, cid))
  return (
    <>
      <b>{title === '' ? cid : title}</b> <span dir="auto">{text}</span>
    </>
  )
}

function Done({ look: { parts } }: { readonly look: AccountFileLook }) {
  const t = useTexts('data')
  return (
    <>
      <p role="status">{t('accountFile.taken')}</p>
      {parts === undefined ? null : <AccountFileParts title={t('accountFile.inIt')} parts={parts} />}
    </>
  )
}

type Step =
  | { readonly at: 'choose' }
  | { readonly at: 'passphrase'; readonly id: string; readonly name: string }
  | { readonly at: 'look'; readonly look: AccountFileLook }
  | { readonly at: 'done'; readonly look: AccountFileLook }
  /** A settings file of an older version, already imported. */
  | { readonly at: 'settings'; readonly text: string }

function useOpening(id: string | undefined) {
  const dispatch = useAppDispatch()
  const describe = useImported()
  const [step, setStep] = useState<Step>({ at: 'choose' })
  const [passphrase, setPassphrase] = useState('')
  const [prefersFile, setPrefersFile] = useState(false)
  const [working, setWorking] = useState<'reading' | 'unlocking' | 'taking'>()
  const formMessage = useRemark()
  const leaving = useLeaving(step.at === 'passphrase' ? step.id : step.at === 'look' ? step.look.id : undefined)
  const { refuse } = formMessage

  useOpenedBefore(id, (answer) => {
    if (answer.ok) setStep({ at: 'look', look: answer.value })
    else refuse(answer.error)
  })

  const choose = async (file: File): Promise<void> => {
    formMessage.clear()
    setWorking('reading')
    const answer = await dispatch(openAccountFile(file))
    setWorking(undefined)
    if (!answer.ok) return refuse(answer.error)
    setStep(
      answer.value.kind === 'settings'
        ? { at: 'settings', text: describe(answer.value.refused) }
        : { at: 'passphrase', id: answer.value.id, name: file.name },
    )
  }
  const chooseAgain = (): void => {
    setPassphrase('')
    setStep({ at: 'choose' })
  }
  const unlock = async (file: string): Promise<void> => {
    setWorking('unlocking')
    const answer = await dispatch(lookIntoAccountFile({ id: file, passphrase }))
    setWorking(undefined)
    if (!answer.ok) {
      if (answer.error.code !== 'account-file/passphrase') chooseAgain()
      return refuse(answer.error)
    }
    setPassphrase('')
    setStep({ at: 'look', look: answer.value })
  }
  const take = async (look: AccountFileLook): Promise<void> => {
    setWorking('taking')
    const answer = await dispatch(takeAccountFile({ id: look.id, prefersFile }))
    setWorking(undefined)
    if (answer.ok) return setStep({ at: 'done', look: answer.value })
    if (answer.error.code === 'account-file/closed') chooseAgain()
    refuse(answer.error)
  }
  const submit = (): void => {
    if (working !== undefined) return
    formMessage.clear()
    if (step.at === 'passphrase' && passphrase !== '') void unlock(step.id)
    if (step.at === 'look' && step.look.owner.isShown) void take(step.look)
  }
  return {
    step,
    working,
    passphrase,
    prefersFile,
    setPrefersFile,
    fault: formMessage.text,
    setPassphrase: (value: string): void => {
      setPassphrase(value)
      formMessage.clear()
    },
    choose: (file: File): void => void choose(file),
    submit,
    ...leaving,
  }
}

/** The ways out of the dialog. Only a switch to the account of the file leaves it open in main. */
function useLeaving(fileId: string | undefined) {
  const dispatch = useAppDispatch()
  const forget = (): void => {
    if (fileId !== undefined) void dispatch(closeAccountFile({ id: fileId }))
  }
  return {
    goTo: (key: string): void => {
      if (fileId !== undefined) dispatch(accountSwitchStarted({ key, place: { type: 'account-file', id: fileId } }))
    },
    signIn: (): void => {
      forget()
      dispatch(addAccountOpened())
    },
    close: (): void => {
      forget()
      dispatch(dialogClosed())
    },
  }
}

/** Looks once into a file that was open in main before this dialog: after a switch of accounts. */
function useOpenedBefore(id: string | undefined, onAnswer: (answer: Result<AccountFileLook, ErrorBody>) => void): void {
  const dispatch = useAppDispatch()
  const latest = useEffectEvent(onAnswer)
  useEffect(() => {
    if (id === undefined) return
    let isShown = true
    const look = async (): Promise<void> => {
      const answer = await dispatch(lookIntoAccountFile({ id }))
      if (isShown) latest(answer)
    }
    void look()
    return () => {
      isShown = false
    }
  }, [dispatch, id])
}

/** What became of a settings file. */
function useImported(): (refused: readonly string[]) => string {
  const t = useTexts('preferences')
  const formats = useFormats()
  return (refused) =>
    refused.length === 0
      ? t('advanced.imported')
      : t('advanced.refused', { count: refused.length, names: formats.list(refused) })
}
