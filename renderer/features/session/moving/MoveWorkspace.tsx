import { useId, useRef, useState } from 'react'
import type { SavedWorkspace } from '#shared/domain/sharing.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useSession } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { NewPassphraseFields, useNewPassphrase } from '../../../ui/Field/Passphrase.tsx'
import sharingStyles from '../sharing/Sharing.module.css'
import { MoveMeter, useMoveProgress, cancelMoving, finishMoving, saveWorkspace } from './moving.tsx'
import styles from './Moving.module.css'

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
