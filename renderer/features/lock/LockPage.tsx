import { useState } from 'react'
import { PIN_LENGTH } from '#shared/domain/desktop/desktop.ts'
import { useRemark, useTexts } from '../../i18n/index.ts'
import { focusOnce } from '../../lib/page/focus.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { selectLock } from '../../store/window/host.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Mark } from '../../ui/Mark/Mark.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { TypedDialog } from '../../ui/Dialog/TypedDialog.tsx'
import { useSecond } from '../../lib/time/clocks.ts'
import { forgetPin, unlock } from './commands.ts'
import styles from './LockPage.module.css'

/** The only page of a locked window: a field for the PIN, and a reset for a forgotten one. */
export function LockPage() {
  const t = useTexts('lock')
  const [forgetting, setForgetting] = useState(false)
  return (
    <main className={styles['page']} aria-label={t('title')}>
      <div className={styles['card']}>
        <Mark size={52} />
        <h1 className={styles['title']}>{t('title')}</h1>
        <PinForm />
        <Button variant="link" onClick={() => setForgetting(true)}>
          {t('forgot.open')}
        </Button>
      </div>
      {forgetting ? <ForgetDialog onClose={() => setForgetting(false)} /> : null}
    </main>
  )
}

function PinForm() {
  const t = useTexts('lock')
  const dispatch = useAppDispatch()
  const formMessage = useRemark()
  const [pin, setPin] = useState('')
  const [working, setWorking] = useState(false)
  const left = useSecondsTo(useAppSelector((state) => selectLock(state).waitUntil))
  const submit = async (): Promise<void> => {
    if (working || left > 0 || pin === '') return
    setWorking(true)
    const done = await dispatch(unlock({ pin }))
    setWorking(false)
    if (done.ok) return
    setPin('')
    formMessage.refuse(done.error)
  }
  return (
    <form
      noValidate
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextField
        ref={focusOnce}
        label={t('pin')}
        type="password"
        autoComplete="off"
        maxLength={PIN_LENGTH.most}
        value={pin}
        error={formMessage.text}
        hint={left > 0 ? waitText(t, left) : undefined}
        onChange={(value) => {
          setPin(value)
          formMessage.clear()
        }}
      />
      {formMessage.text !== undefined && left > 0 ? <p className={styles['wait']}>{waitText(t, left)}</p> : null}
      <Button type="submit" variant="primary" size="large" block working={working} aria-disabled={left > 0}>
        {t('unlock')}
      </Button>
    </form>
  )
}

/** Seconds below a minute, then whole minutes. */
function waitText(t: ReturnType<typeof useTexts<'lock'>>, seconds: number): string {
  return seconds < 60 ? t('waitSeconds', { count: seconds }) : t('waitMinutes', { count: Math.ceil(seconds / 60) })
}

function ForgetDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('lock')
  const dispatch = useAppDispatch()
  const formMessage = useRemark()
  const [working, setWorking] = useState(false)
  const forget = async (): Promise<void> => {
    setWorking(true)
    const done = await dispatch(forgetPin(undefined))
    setWorking(false)
    if (!done.ok) formMessage.refuse(done.error)
  }
  return (
    <TypedDialog
      title={t('forgot.title')}
      text={t('forgot.text')}
      confirm={t('forgot.confirm')}
      name="Parlor"
      working={working}
      error={formMessage.text}
      onTyped={formMessage.clear}
      onConfirm={() => void forget()}
      onClose={onClose}
    />
  )
}

/** Whole seconds until a time (epoch milliseconds), counting down; 0 after it, or without one. */
function useSecondsTo(time = 0): number {
  const left = (now: number): number => Math.max(0, Math.ceil((time - now) / 1_000))
  return left(useSecond((now) => left(now) > 0))
}
