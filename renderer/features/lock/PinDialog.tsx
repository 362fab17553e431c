import { useState } from 'react'
import { PIN_LENGTH } from '#shared/domain/desktop/desktop.ts'
import { useRemark, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog } from '../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { removePin, setPin } from './commands.ts'

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
