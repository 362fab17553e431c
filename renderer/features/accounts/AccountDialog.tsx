import { useState } from 'react'
import { isBlank } from '#shared/lib/clean-text.ts'
import { WORKSPACE_NAME_LENGTH } from '#shared/constants.ts'
import { ACCOUNT_HUES, type AccountEntry, type AccountHue } from '#shared/domain/session.ts'
import { useTexts, useRemark } from '../../i18n/index.ts'
import { selectAccount } from '../../store/accounts.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { dialogClosed } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { announce } from '../../lib/page/announce.ts'
import { Segments } from '../../ui/Choice/Segments.tsx'
import { AccountLogo } from './AccountCards.tsx'
import { changeAccount, renewAccount } from './commands.ts'
import styles from './AccountDialog.module.css'

/** The user's own name and color of an account. No one else sees them. */
export function AccountDialog({ account }: { readonly account: string }) {
  const entry = useAppSelector((state) => selectAccount(state, account))
  return entry === undefined ? null : <Form account={entry} />
}

function Form({ account }: { readonly account: AccountEntry }) {
  const t = useTexts('accounts')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const [name, setName] = useState(account.name)
  const [hue, setHue] = useState<AccountHue>(account.hue)
  const close = (): void => void dispatch(dialogClosed())
  const save = async (): Promise<void> => {
    // The workspace's own name is not stored, so that later changes of it are followed.
    const own = name.trim() === account.workspaceName ? '' : name.trim()
    const changed = await dispatch(changeAccount({ key: account.key, name: own, hue }))
    if (changed.ok) close()
  }
  const shown = isBlank(name) ? account.workspaceName : name
  return (
    <Dialog
      width={440}
      title={t('edit.title')}
      onClose={close}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant="primary">
            {common('save')}
          </Button>
        </>
      }
    >
      <div className={styles['head']}>
        <AccountLogo account={{ name: shown, hue }} size={44} />
        <TextField
          label={t('edit.name')}
          value={name}
          maxLength={WORKSPACE_NAME_LENGTH}
          placeholder={account.workspaceName}
          hint={t('edit.nameHint')}
          autoComplete="off"
          onChange={setName}
        />
      </div>
      <fieldset className={styles['hues']}>
        <legend>{t('edit.colour')}</legend>
        {ACCOUNT_HUES.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="hue"
              className="sr-only"
              checked={hue === each}
              onChange={() => setHue(each)}
              aria-label={t(`hues.${each}`)}
            />
            <AccountLogo account={{ name: shown, hue: each }} size={30} />
          </label>
        ))}
      </fieldset>
    </Dialog>
  )
}

/** A new token for an account whose token the server no longer accepts. Unsent messages stay. */
export function RenewDialog({ account }: { readonly account: string }) {
  const entry = useAppSelector((state) => selectAccount(state, account))
  return entry === undefined ? null : <RenewForm account={entry} />
}

type From = 'token' | 'tokenUrl'

function RenewForm({ account }: { readonly account: AccountEntry }) {
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
