import { useState } from 'react'
import type { AccountEntry } from '#shared/domain/session.ts'
import { useRemark, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { selectAccount } from '../../store/accounts.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { dialogClosed } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { Segments } from '../../ui/Choice/Segments.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { renewAccount } from './commands.ts'

/** A new token for an account whose token the server no longer accepts. Unsent messages stay. */
export function RenewDialog({ account }: { readonly account: string }) {
  const entry = useAppSelector((state) => selectAccount(state, account))
  return entry === undefined ? null : <Form account={entry} />
}

type From = 'token' | 'tokenUrl'

function Form({ account }: { readonly account: AccountEntry }) {
  const t = useTexts('accounts')
  const session = useTexts('session')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const [from, setFrom] = useState<From>('token')
  const [value, setValue] = useState('')
  const formMessage = useRemark()
  const [working, setWorking] = useState(false)
  const close = (): void => void dispatch(dialogClosed())
  const change = (text: string): void => {
    setValue(text)
    formMessage.clear()
  }
  const save = async (): Promise<void> => {
    setWorking(true)
    const renewed = await dispatch(renewAccount({ key: account.key, [from]: value.trim() }))
    setWorking(false)
    if (!renewed.ok) return formMessage.refuse(renewed.error)
    announce(t('renew.done', { name: account.name }))
    close()
  }
  return (
    <Dialog
      width={480}
      title={t('renew.title', { name: account.name })}
      onClose={close}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working}>
            {t('renew.confirm')}
          </Button>
        </>
      }
    >
      <DialogText>{t('renew.text', { user: account.userId })}</DialogText>
      <Segments
        label={session('hosted.tokenFrom')}
        block
        value={from}
        onChange={(next) => {
          setFrom(next)
          change('')
        }}
        choices={[
          { value: 'token', label: session('hosted.token') },
          { value: 'tokenUrl', label: session('hosted.tokenUrl') },
        ]}
      />
      <TextField
        key={from}
        label={session(`hosted.${from}`)}
        type={from === 'token' ? 'password' : 'url'}
        mono
        autoComplete="off"
        spellCheck={false}
        hint={session(from === 'token' ? 'hosted.tokenHint' : 'hosted.tokenUrlHint')}
        value={value}
        error={formMessage.text}
        onChange={change}
      />
    </Dialog>
  )
}
