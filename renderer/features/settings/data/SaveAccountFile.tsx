import { useEffect, useRef, useState, type ReactNode } from 'react'
import {
  type AccountFileContents,
  type CarriedLeft,
  ACCOUNT_FILE_PARTS,
  type AccountFilePart,
  type PartCounts,
} from '#shared/domain/account-file.ts'
import type { SavedFile } from '#shared/domain/export.ts'
import { useRemark, useTexts, useFormats } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { NewPassphraseFields, useNewPassphrase } from '../../../ui/Field/Passphrase.tsx'
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
        <NewPassphraseFields form={form.passphrase} />
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

function useSaving() {
  const dispatch = useAppDispatch()
  const passphrase = useNewPassphrase()
  const [working, setWorking] = useState(false)
  const [saved, setSaved] = useState<SavedFile>()
  const formMessage = useRemark()
  const submit = async (): Promise<void> => {
    if (working) return
    formMessage.clear()
    const given = passphrase.check()
    if (given === undefined) return
    setWorking(true)
    const answer = await dispatch(saveAccountFile({ passphrase: given }))
    setWorking(false)
    if (!answer.ok) return formMessage.refuse(answer.error)
    if (answer.value.saved === undefined) return
    setSaved(answer.value.saved)
    passphrase.forget()
  }
  return { passphrase, working, saved, fault: formMessage.text, submit: (): void => void submit() }
}

/** The parts of an account file, each with its number or with what becomes of it. Empty parts are left out. */
export function AccountFileParts({
  title,
  parts,
}: {
  readonly title: string
  readonly parts: Readonly<Record<AccountFilePart, number | PartCounts>>
}) {
  const t = useTexts('data')
  const some = ACCOUNT_FILE_PARTS.filter((part) => totalOf(parts[part]) > 0)
  if (some.length === 0) return <p>{t('accountFile.nothing')}</p>
  return (
    <ul className={styles['parts']} aria-label={title}>
      {some.map((part) => (
        <li key={part}>
          <span>{t(`accountFile.parts.${part}`)}</span>
          <span className={styles['count']}>
            <Count count={parts[part]} />
          </span>
        </li>
      ))}
    </ul>
  )
}

const totalOf = (count: number | PartCounts): number => (typeof count === 'number' ? count : count.total)

function Count({ count }: { readonly count: number | PartCounts }): ReactNode {
  const t = useTexts('data')
  const formats = useFormats()
  if (typeof count === 'number') return formats.number(count)
  const fates = (['added', 'replaced', 'kept', 'full'] as const).filter((fate) => count[fate] > 0)
  return formats.list(fates.map((fate) => t(`accountFile.fates.${fate}`, { count: count[fate] })))
}
