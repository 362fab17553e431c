import { useEffect, useState } from 'react'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useHost } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Mark } from '../../../ui/Mark/Mark.tsx'
import { Spinner } from '../../../ui/View/Empty.tsx'
import { loadThirdPartyNotices } from '../commands.ts'
import { GoTo, SettingRow } from '../controls/SettingRow.tsx'
import styles from '../Settings.module.css'

/** Version and licenses. */
export function About() {
  const t = useTexts('settings')
  const u = useTexts('updates')
  const { version, kind } = useHost()
  return (
    <>
      <div className={styles['about']}>
        <Mark size={56} />
        <div>
          <p className={styles['name']}>Parlor {version}</p>
          <p className={styles['hint']}>{kind === 'electron' ? t('about.electron') : t('about.browser')}</p>
          <p className={styles['hint']}>{t('about.licence')}</p>
          <p className={styles['hint']}>{t('about.noTelemetry')}</p>
        </div>
      </div>
      <NoticesRow />
      <SettingRow title={u('title')} hint={u('about')}>
        <GoTo section="system" label={t('system.title')} />
      </SettingRow>
    </>
  )
}

function NoticesRow() {
  const t = useTexts('settings')
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingRow title={t('about.notices')} hint={t('about.noticesHint')}>
      <Button onClick={() => setOpen(true)}>{t('about.noticesShow')}</Button>
      {isOpen ? <NoticesDialog onClose={() => setOpen(false)} /> : null}
    </SettingRow>
  )
}

function NoticesDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const errorText = useErrorText()
  const [answer, setAnswer] = useState<Result<string, ErrorBody>>()
  useEffect(() => {
    void dispatch(loadThirdPartyNotices()).then(setAnswer)
  }, [dispatch])
  return (
    <Dialog title={t('about.notices')} width={720} onClose={onClose}>
      {answer === undefined ? <Spinner /> : null}
      {answer?.ok === true ? (
        // The text is longer than the dialog: with the focus on it the arrow keys scroll it.
        <pre className={styles['notices']} tabIndex={0} dir="ltr" lang="en">
          {answer.value}
        </pre>
      ) : null}
      <Refusal text={answer?.ok === false ? errorText(answer.error) : undefined} />
    </Dialog>
  )
}
