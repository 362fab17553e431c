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
import { announce } from '../../lib/page/announce.ts'
import { Dialog } from '../../ui/Dialog/Dialog.tsx'
import { forgetPin, unlock, removePin, setPin } from './commands.ts'
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

/** What to do with the PIN. */
export type PinQuestion = 'set' | 'change' | 'remove'

type Own = 'short' | 'different'
type Field = 'current' | 'pin' | 'again'

const EMPTY = { current: '', pin: '', again: '' }

/** Sets, changes or removes the PIN. An existing one must be entered. */
export function PinDialog({ what, onClose }: { readonly what: PinQuestion; readonly onClose: () => void }) {
  const t = useTexts('lock')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const [values, setValues] = useState(EMPTY)
  const [at, setAt] = useState<Field>('pin')
  const [working, setWorking] = useState(false)
  const formMessage = useRemark((own: Own) => t(`dialog.${own}`, { count: PIN_LENGTH.least }))
  const { current, pin, again } = values
  const field = (name: Field) => ({
    label: t(`dialog.${name}`),
    type: 'password',
    autoComplete: 'off',
    maxLength: PIN_LENGTH.most,
    value: values[name],
    error: at === name ? formMessage.text : undefined,
    onChange(value: string) {
      setValues({ ...values, [name]: value })
      formMessage.clear()
    },
  })
  const wrong = (name: Field, own: Own): void => {
    setAt(name)
    formMessage.show(own)
  }
  const submit = async (): Promise<void> => {
    if (what !== 'remove' && pin.length < PIN_LENGTH.least) return wrong('pin', 'short')
    if (what !== 'remove' && pin !== again) return wrong('again', 'different')
    setWorking(true)
    const done = await dispatch(
      what === 'remove' ? removePin({ pin: current }) : setPin(what === 'set' ? { pin } : { pin, current }),
    )
    setWorking(false)
    if (!done.ok) {
      setAt(what === 'set' ? 'pin' : 'current')
      return formMessage.refuse(done.error)
    }
    announce(t(`dialog.done.${what}`))
    onClose()
  }
  return (
    <Dialog
      width={400}
      title={t(`dialog.title.${what}`)}
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working}>
            {t(`dialog.confirm.${what}`)}
          </Button>
        </>
      }
    >
      {what === 'set' ? null : <TextField {...field('current')} />}
      {what === 'remove' ? null : (
        <>
          <TextField {...field('pin')} hint={t('dialog.text')} />
          <TextField {...field('again')} />
        </>
      )}
    </Dialog>
  )
}
