import { useRef, useState } from 'react'
import type { SmallPicture } from '#shared/bridge/schemas.ts'
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
import { Segments } from '../../ui/Choice/Choice.tsx'
import { PictureInput, pictureFrom } from '../../ui/Field/PictureField.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { useMenu } from '../../ui/Menu/Menu.tsx'
import { AccountLogo } from './AccountLogo.tsx'
import { changeAccount, renewAccount } from './commands.ts'
import styles from './AccountDialog.module.css'

/** Name, icon and color of a workspace: of an own one for everyone in it, of any other one only for the user. */
export function AccountDialog({ account }: { readonly account: string }) {
  const entry = useAppSelector((state) => selectAccount(state, account))
  return entry === undefined ? null : <Form account={entry} />
}

function Form({ account }: { readonly account: AccountEntry }) {
  const t = useTexts('accounts')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const [name, setName] = useState(account.name)
  const icon = useIconChoice(account)
  const [hue, setHue] = useState<AccountHue>(account.hue)
  const close = (): void => void dispatch(dialogClosed())
  const save = async (): Promise<void> => {
    // The workspace's own name is not stored, so that later changes of it are followed.
    const own = name.trim() === account.workspaceName ? '' : name.trim()
    const changed = await dispatch(changeAccount({ key: account.key, name: own, hue, ...icon.change }))
    if (changed.ok) close()
  }
  const shown = isBlank(name) ? account.workspaceName : name
  return (
    <Dialog
      width={440}
      title={t(account.kind === 'own' ? 'edit.ownTitle' : 'edit.title')}
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
        <IconChoice account={{ name: shown, hue, icon: icon.shown }} onChoose={icon.choose} />
        <TextField
          label={t('edit.name')}
          value={name}
          maxLength={WORKSPACE_NAME_LENGTH}
          placeholder={account.workspaceName}
          hint={t(account.kind === 'own' ? 'edit.ownHint' : 'edit.nameHint')}
          error={icon.error}
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

/** Pixels of an icon: sharp in the rail on any screen. */
const ICON_SIDE = 96

/** The icon as it will be saved. */
function useIconChoice(account: AccountEntry) {
  const t = useTexts('accounts')
  const [chosen, setChosen] = useState<SmallPicture | null>()
  const message = useRemark()
  return {
    shown: chosen === undefined ? account.icon : (chosen ?? undefined),
    change: chosen === undefined ? {} : { icon: chosen },
    error: message.text,
    choose: async (file: File | undefined): Promise<void> => {
      message.clear()
      try {
        setChosen(file === undefined ? null : await pictureFrom(file, ICON_SIDE))
        if (file !== undefined) announce(t('edit.iconChosen'))
      } catch {
        // The browser could not decode the picture.
        message.refuse({ code: 'picture/unreadable' })
      }
    },
  }
}

type IconProps = {
  readonly account: Pick<AccountEntry, 'name' | 'hue' | 'icon'>
  readonly onChoose: (file: File | undefined) => Promise<void>
}

/** Opens the files; once there is an icon, a menu to change or remove it. */
function IconChoice({ account, onChoose }: IconProps) {
  const t = useTexts('accounts')
  const files = useRef<HTMLInputElement>(null)
  const open = (): void => files.current?.click()
  const menu = useMenu({
    label: t('edit.changeIcon'),
    items: () => [
      { id: 'another', label: t('edit.anotherIcon'), icon: 'image', onSelect: open },
      { id: 'remove', label: t('edit.removeIcon'), icon: 'trash', onSelect: () => void onChoose(undefined) },
    ],
  })
  return (
    <>
      <button
        type="button"
        className={styles['icon']}
        aria-label={t(account.icon === undefined ? 'edit.chooseIcon' : 'edit.changeIcon')}
        {...(account.icon === undefined ? { onClick: open } : menu.triggerProps)}
      >
        <AccountLogo account={account} size={56} />
        <span className={styles['camera']}>
          <Icon name="camera" size={16} />
        </span>
      </button>
      {menu.menu}
      <PictureInput ref={files} onChoose={(file) => void onChoose(file)} />
    </>
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
