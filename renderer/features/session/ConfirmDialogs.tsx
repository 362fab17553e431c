import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import type { DeepLink } from '#shared/domain/desktop/desktop.ts'
import { useFormats, useRemark, useTexts } from '../../i18n/index.ts'
import { selectAccount } from '../../store/accounts.ts'
import { useAppDispatch, useAppSelector, useMe, useSession } from '../../store/hooks.ts'
import { dialogClosed, dialogOpened, addAccountOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText, Refusal } from '../../ui/Dialog/Dialog.tsx'
import { TypedDialog } from '../../ui/Dialog/TypedDialog.tsx'
import { countUnsent, deleteDemo, deleteLeft, deleteWorkspace, openLeft, restartDemo, signOut } from './commands.ts'
import { CreateWorkspaceFields, useCreateWorkspace } from './CreateWorkspaceForm.tsx'
import styles from './Session.module.css'

type ConfirmProps = {
  readonly title: string
  readonly cancel: string
  readonly confirm: string
  readonly danger?: boolean
  /** Another way out of the question. */
  readonly other?: ReactNode
  readonly children: ReactNode
  readonly run: () => Promise<Result<unknown, ErrorBody>>
}

/** A confirmation with the focus on the safe button. An error is shown in the dialog. */
function Confirm({ title, cancel, confirm, danger = false, other, children, run }: ConfirmProps) {
  const dispatch = useAppDispatch()
  const safe = useRef<HTMLButtonElement>(null)
  const [working, setWorking] = useState(false)
  const formMessage = useRemark()
  const close = (): void => void dispatch(dialogClosed())
  const confirmed = async (): Promise<void> => {
    setWorking(true)
    const done = await run()
    setWorking(false)
    if (done.ok) close()
    else formMessage.refuse(done.error)
  }
  return (
    <Dialog
      alert
      width={400}
      title={title}
      initialFocus={safe}
      onClose={close}
      actions={
        <>
          {other}
          <Button ref={safe} onClick={close}>
            {cancel}
          </Button>
          <Button variant={danger ? 'danger' : 'primary'} working={working} onClick={() => void confirmed()}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      <Refusal text={formMessage.text} />
    </Dialog>
  )
}

export function DeleteDemoDialog() {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  return (
    <Confirm
      danger
      title={t('deleteDemo.title')}
      cancel={t('deleteDemo.cancel')}
      confirm={t('deleteDemo.confirm')}
      run={() => dispatch(deleteDemo(undefined))}
    >
      <DialogText>{t('deleteDemo.text')}</DialogText>
    </Confirm>
  )
}

/** A workspace that has moved to another device is used here again, as it was when it left. */
export function TakeBackDialog({
  place,
  name,
  at,
}: {
  readonly place: string
  readonly name: string
  readonly at: number
}) {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const formats = useFormats()
  return (
    <Confirm
      title={t('moving.backTitle', { name })}
      cancel={t('moving.backCancel')}
      confirm={t('moving.back')}
      other={
        <Button variant="risky" onClick={() => dispatch(dialogOpened({ kind: 'delete-left', place, name }))}>
          {t('moving.delete')}
        </Button>
      }
      run={() => dispatch(openLeft({ place }))}
    >
      <DialogText>{t('moving.backText', { when: formats.dayAndTime(at) })}</DialogText>
    </Confirm>
  )
}

/** The demo as it was at first, for the same person. */
export function RestartDemoDialog() {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  return (
    <Confirm
      danger
      title={t('restartDemo.title')}
      cancel={t('deleteDemo.cancel')}
      confirm={t('restartDemo.confirm')}
      run={() => dispatch(restartDemo(undefined))}
    >
      <DialogText>{t('restartDemo.text')}</DialogText>
    </Confirm>
  )
}

/** Deletes a local workspace permanently. */
export function DeleteWorkspaceDialog({ account }: { readonly account: string }) {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const name = useAppSelector((state) => selectAccount(state, account)?.name ?? '')
  const unsent = useUnsent(account)
  return (
    <Deleting name={name} text={t('deleteWorkspace.text')} run={() => dispatch(deleteWorkspace({ key: account }))}>
      {unsent === 0 ? null : <DialogText>{t('signOut.unsentGone', { count: unsent })}</DialogText>}
    </Deleting>
  )
}

/** Deletes what stayed here of a workspace that has moved to another device. */
export function DeleteLeftDialog({ place, name }: { readonly place: string; readonly name: string }) {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  return <Deleting name={name} text={t('moving.deleteText')} run={() => dispatch(deleteLeft({ place }))} />
}

type DeletingProps = Pick<ConfirmProps, 'run'> & {
  readonly name: string
  readonly text: string
  readonly children?: ReactNode
}

function Deleting({ name, text, run, children }: DeletingProps) {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const [working, setWorking] = useState(false)
  const formMessage = useRemark()
  const close = (): void => void dispatch(dialogClosed())
  const confirm = async (): Promise<void> => {
    setWorking(true)
    const done = await run()
    setWorking(false)
    if (done.ok) close()
    else formMessage.refuse(done.error)
  }
  return (
    <TypedDialog
      title={t('deleteWorkspace.title', { name })}
      text={text}
      confirm={t('deleteWorkspace.confirm')}
      name={name}
      working={working}
      error={formMessage.text}
      onTyped={formMessage.clear}
      onConfirm={() => void confirm()}
      onClose={close}
    >
      {children}
    </TypedDialog>
  )
}

/** The number of unsent items of an account, by default of the one of this window. */
function useUnsent(account: string | undefined): number {
  const dispatch = useAppDispatch()
  const [unsent, setUnsent] = useState(0)
  useEffect(() => {
    void dispatch(countUnsent(account === undefined ? {} : { key: account })).then(
      (counted) => counted.ok && setUnsent(counted.value),
    )
  }, [dispatch, account])
  return unsent
}

/**
 * Shows the number of unsent items; they are stored for the next sign-in of the same user, unless everything is deleted.
 *
 * @param account key of the account to sign out of; absent: the one of this window
 */
export function SignOutDialog({ account }: { readonly account?: string }) {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const { workspace } = useSession()
  const named = useAppSelector((state) => (account === undefined ? undefined : selectAccount(state, account)?.name))
  const which = account === undefined ? {} : { key: account }
  const unsent = useUnsent(account)
  const [wipe, setWipe] = useState(false)
  return (
    <Confirm
      title={t('signOut.title', { workspace: named ?? workspace?.name ?? '' })}
      cancel={t('signOut.cancel')}
      danger={wipe}
      confirm={wipe ? t('signOut.wipeConfirm') : t('signOut.confirm')}
      run={() => dispatch(signOut({ wipe, ...which }))}
    >
      <DialogText>{t('signOut.text')}</DialogText>
      {unsent === 0 ? null : (
        <DialogText>
          {wipe ? t('signOut.unsentGone', { count: unsent }) : t('signOut.unsent', { count: unsent })}
        </DialogText>
      )}
      <label className={styles['wipe']}>
        <input type="checkbox" checked={wipe} onChange={({ currentTarget }) => setWipe(currentTarget.checked)} />
        {t('signOut.wipe')}
      </label>
      {wipe ? <DialogText>{t('signOut.wipeText')}</DialogText> : null}
    </Confirm>
  )
}

export function CreateWorkspaceDialog() {
  const t = useTexts('session')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const me = useMe()
  const form = useCreateWorkspace({ yourName: me?.name ?? '' })
  const close = (): void => void dispatch(dialogClosed())
  const submit = async (): Promise<void> => {
    if (await form.submit()) close()
  }
  return (
    <Dialog
      title={t('local.formTitle')}
      onClose={close}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={form.working}>
            {t('local.make')}
          </Button>
        </>
      }
    >
      <CreateWorkspaceFields form={form} />
    </Dialog>
  )
}

/** For a link to a workspace without an account here. A link never connects to a server: the user must add the account. */
export function ElsewhereDialog({ link }: { readonly link: DeepLink }) {
  const t = useTexts('session')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { workspace } = useSession()
  const close = (): void => void dispatch(dialogClosed())
  const name = 'workspace' in link ? link.workspace : ''
  return (
    <Dialog
      width={440}
      title={t('elsewhere.title')}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button variant="primary" onClick={() => dispatch(addAccountOpened())}>
            {t('elsewhere.add')}
          </Button>
        </>
      }
    >
      <DialogText>
        {t(link.route === 'invite' ? 'elsewhere.invite' : 'elsewhere.text', {
          name,
          here: workspace?.name ?? '',
        })}
      </DialogText>
      <DialogText muted>{t('elsewhere.how')}</DialogText>
    </Dialog>
  )
}
