import { useEffect, useRef, useState } from 'react'
import { PASSPHRASE_LENGTH, type AccountFileContents, type CarriedLeft } from '#shared/domain/account-file.ts'
import type { SavedFile } from '#shared/domain/export.ts'
import { passphraseStrength } from '#shared/rules/desktop/passphrase.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { AccountFileParts } from './AccountFileParts.tsx'
import styles from './AccountFile.module.css'
import { askAccountFile, saveAccountFile, showFolder } from './commands.ts'

/** Saves what only this device has of the account to an encrypted file: what is in it, passphrase, done. */
export function SaveAccountFile() {
  const t = useTexts('data')
  const dispatch = useAppDispatch()
  const contents = useContents()
  const form = useSaving()
  const { saved, working, fault } = form
  const last = useRef<HTMLButtonElement>(null)
  const close = (): void => void dispatch(dialogClosed())
  if (saved !== undefined)
    return (
      <Dialog
        key="saved"
        initialFocus={last}
        title={t('accountFile.saveTitle')}
        width={480}
        onClose={close}
        actions={
          <>
            <Button onClick={() => void dispatch(showFolder('exported'))}>{t('show')}</Button>
            <Button ref={last} variant="primary" onClick={close}>
              {t('close')}
            </Button>
          </>
        }
      >
        <div className={styles['body']}>
          <p role="status">{t('accountFile.saved', { file: saved.fileName, folder: saved.folderName })}</p>
          <DialogText>{t('accountFile.savedNext')}</DialogText>
        </div>
      </Dialog>
    )
  return (
    <Dialog
      title={t('accountFile.saveTitle')}
      width={480}
      onClose={close}
      onSubmit={form.submit}
      hint={<span role="status">{working ? t('accountFile.saving') : null}</span>}
      actions={
        <>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button variant="primary" type="submit" working={working}>
            {t('accountFile.save')}
          </Button>
        </>
      }
    >
      <div className={styles['body']}>
        {contents === undefined ? null : (
          <>
            <AccountFileParts title={t('accountFile.inIt')} parts={contents.parts} />
            <Left left={contents.left} />
          </>
        )}
        <DialogText muted>{t('accountFile.secrets')}</DialogText>
        <TextField {...form.field('passphrase')} hint={<Strength passphrase={form.values.passphrase} />} />
        <TextField {...form.field('again')} />
        <Refusal text={fault} />
      </div>
    </Dialog>
  )
}

/** What stays behind, and why. */
function Left({ left }: { readonly left: CarriedLeft }) {
  const t = useTexts('data')
  const some = (['messages', 'changes', 'files'] as const).filter((what) => left[what] > 0)
  return some.map((what) => (
    <DialogText key={what} muted>
      {t(`accountFile.left.${what}`, { count: left[what] })}
    </DialogText>
  ))
}

/** Announced politely while it is typed, so that it can be made better before it is used. */
function Strength({ passphrase }: { readonly passphrase: string }) {
  const t = useTexts('data')
  return (
    <span role="status">
      {passphrase === ''
        ? t('accountFile.passphraseHint')
        : t(`accountFile.strength.${passphraseStrength(passphrase)}`, { count: PASSPHRASE_LENGTH.least })}
    </span>
  )
}

function useContents(): AccountFileContents | undefined {
  const dispatch = useAppDispatch()
  const [contents, setContents] = useState<AccountFileContents>()
  useEffect(() => {
    let isShown = true
    const ask = async (): Promise<void> => {
      const answer = await dispatch(askAccountFile())
      if (isShown && answer.ok) setContents(answer.value)
    }
    void ask()
    return () => {
      isShown = false
    }
  }, [dispatch])
  return contents
}

type Field = 'passphrase' | 'again'

function useSaving() {
  const t = useTexts('data')
  const dispatch = useAppDispatch()
  const [values, setValues] = useState({ passphrase: '', again: '' })
  const [at, setAt] = useState<Field>()
  const [working, setWorking] = useState(false)
  const [saved, setSaved] = useState<SavedFile>()
  const formMessage = useRemark((own: 'short' | 'different') =>
    own === 'short' ? t('accountFile.strength.short', { count: PASSPHRASE_LENGTH.least }) : t('accountFile.different'),
  )
  const submit = async (): Promise<void> => {
    if (working) return
    if (passphraseStrength(values.passphrase) === 'short') {
      setAt('passphrase')
      return formMessage.show('short')
    }
    if (values.passphrase !== values.again) {
      setAt('again')
      return formMessage.show('different')
    }
    setAt(undefined)
    formMessage.clear()
    setWorking(true)
    const answer = await dispatch(saveAccountFile({ passphrase: values.passphrase }))
    setWorking(false)
    if (!answer.ok) return formMessage.refuse(answer.error)
    if (answer.value.saved === undefined) return
    setSaved(answer.value.saved)
    // It is not needed in this window anymore.
    setValues({ passphrase: '', again: '' })
  }
  return {
    values,
    working,
    saved,
    fault: at === undefined ? formMessage.text : undefined,
    submit: (): void => void submit(),
    field: (name: Field) => ({
      label: t(`accountFile.${name}`),
      type: 'password',
      autoComplete: 'new-password',
      maxLength: PASSPHRASE_LENGTH.most,
      value: values[name],
      error: at === name ? formMessage.text : undefined,
      onChange(value: string) {
        setValues({ ...values, [name]: value })
        setAt(undefined)
        formMessage.clear()
      },
    }),
  }
}
