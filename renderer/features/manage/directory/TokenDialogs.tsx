import { useState } from 'react'
import type { IssuedToken } from '#shared/domain/manage/directory.ts'
import { ok } from '#shared/lib/app-error.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { useName } from '../../people/index.ts'
import { useManage } from '../state.ts'
import { PeopleDialog, useOutcome } from './PeopleDialogs.tsx'
import { issueToken, signOutPerson } from './commands.ts'
import styles from './Directory.module.css'

type Props = { readonly userId: UserId }

const DAY_MS = 86_400_000
const LIVES = { day: DAY_MS, month: 30 * DAY_MS, year: 365 * DAY_MS } as const
type Life = keyof typeof LIVES

/** Issues a token and shows it once: it is gone with the dialog. */
export function IssueTokenDialog({ userId }: Props) {
  const t = useTexts('directory')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const person = useName(userId)
  const [life, setLife] = useState<Life>('month')
  const [issued, setIssued] = useState<IssuedToken>()
  const [working, setWorking] = useState(false)
  const formMessage = useRemark()
  const close = (): void => void dispatch(dialogClosed())
  const issue = async (): Promise<void> => {
    if (offline || working) return
    setWorking(true)
    formMessage.clear()
    const made = await dispatch(issueToken({ userId, forMs: LIVES[life] }))
    setWorking(false)
    if (made.ok) setIssued(made.value)
    else formMessage.refuse(made.error)
  }
  if (issued !== undefined) return <Issued person={person} issued={issued} onClose={close} />
  return (
    <Dialog
      width={460}
      title={t('token.title', { person })}
      onClose={close}
      onSubmit={() => void issue()}
      hint={offline ? t('offline') : undefined}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working} aria-disabled={offline || undefined}>
            {t('token.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <DialogText>{t('token.text', { person })}</DialogText>
        <div className={styles['choiceRow']}>
          <span>{t('token.life')}</span>
          <Select
            label={t('token.life')}
            value={life}
            choices={(Object.keys(LIVES) as Life[]).map((value) => ({ value, label: t(`token.lives.${value}`) }))}
            onChange={setLife}
          />
        </div>
        <Refusal text={formMessage.text} />
      </div>
    </Dialog>
  )
}

type IssuedProps = { readonly person: string; readonly issued: IssuedToken; readonly onClose: () => void }

function Issued({ person, issued, onClose }: IssuedProps) {
  const t = useTexts('directory')
  const formats = useFormats()
  return (
    <Dialog
      width={460}
      title={t('token.issuedTitle', { person })}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('close')}</Button>}
    >
      <div className={styles['form']}>
        <DialogText>{t('token.once', { date: formats.numericDate(issued.expiresAt) })}</DialogText>
        <Copied label={t('token.token')} value={issued.token} />
        <Copied label={t('token.url')} value={issued.url} />
        <Copied label={t('token.apiKey')} value={issued.apiKey} />
      </div>
    </Dialog>
  )
}

function Copied({ label, value }: { readonly label: string; readonly value: string }) {
  const t = useTexts('directory')
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value)
      announce(t('token.copied', { what: label }))
    } catch {
      // The browser does not allow it: the text can be selected.
      announce(t('token.notCopied'))
    }
  }
  return (
    <div className={styles['copied']}>
      <TextField label={label} mono readOnly value={value} onChange={() => undefined} />
      <Button icon="copy" aria-label={t('token.copyWhat', { what: label })} onClick={() => void copy()}>
        {t('token.copy')}
      </Button>
    </div>
  )
}

/** Every token issued before now is refused from now on. */
export function SignOutPersonDialog({ userId }: Props) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const person = useName(userId)
  const isLocal = useManage()?.source === 'owner'
  const outcome = useOutcome(t('signOut.done', { person }))
  return (
    <PeopleDialog
      title={t('signOut.title', { person })}
      confirm={t('signOut.confirm')}
      outcome={outcome}
      onConfirm={() =>
        void outcome.run(async () => {
          const done = await dispatch(signOutPerson({ userId }))
          return done.ok ? ok({ refused: [] }) : done
        })
      }
    >
      <DialogText>{t(isLocal ? 'signOut.textLocal' : 'signOut.text', { person })}</DialogText>
    </PeopleDialog>
  )
}
