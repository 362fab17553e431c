import { useId, useState } from 'react'
import { isBlank } from '#shared/lib/clean-text.ts'
import { channelIdFrom, channelIdRefusal } from '#shared/rules/channels/channels.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useSession } from '../../../store/hooks.ts'
import { dialogClosed, routeOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { AddPerson } from '../../session/index.ts'
import { createChannel, openDirect } from '../commands.ts'
import { PeoplePicker, useOthers } from './PeoplePicker.tsx'
import styles from './PeoplePicker.module.css'

/** Longest channel id. See docs/wire.md 8.5. */
const ID_LENGTH = 64

/** Creates a channel: name, id, members and visibility. */
export function NewChannelDialog() {
  const t = useTexts('sidebar')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const [name, setName] = useState('')
  const [isPrivate, setPrivate] = useState(false)
  const [memberIds, setMemberIds] = useState<readonly string[]>([])
  const [tail] = useState(() => crypto.randomUUID().slice(0, 8))
  const [ownId, setOwnId] = useState('')
  const id = ownId === '' ? channelIdFrom(name, tail) : ownId
  const isWrong = channelIdRefusal(id) !== undefined
  const formMessage = useRemark((own: 'nameMissing') => t(`newChannelDialog.${own}`))
  const [working, setWorking] = useState(false)
  useOthers()
  const close = (): void => void dispatch(dialogClosed())
  const submit = async (): Promise<void> => {
    if (isBlank(name)) {
      formMessage.show('nameMissing')
      return
    }
    if (isWrong) return
    setWorking(true)
    const made = await dispatch(createChannel({ name: name.trim(), id, isPrivate, memberIds }))
    setWorking(false)
    if (!made.ok) {
      formMessage.refuse(made.error)
      return
    }
    close()
    dispatch(routeOpened({ view: 'channel', cid: made.value }))
  }
  return (
    <Dialog
      title={t('newChannelDialog.title')}
      onClose={close}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working}>
            {t('newChannelDialog.make')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('newChannelDialog.name')}
        value={name}
        maxLength={100}
        autoComplete="off"
        icon={isPrivate ? 'lock' : 'hash'}
        error={formMessage.text}
        hint={t('newChannelDialog.nameHint')}
        onChange={(value) => {
          setName(value)
          formMessage.clear()
        }}
      />
      <PeoplePicker label={t('newChannelDialog.members')} chosen={memberIds} onChange={setMemberIds} />
      <PrivateSwitch on={isPrivate} onChange={setPrivate} />
      <details className={styles['rare']} open={isWrong || undefined}>
        <summary>{t('newChannelDialog.more')}</summary>
        <TextField
          label={t('newChannelDialog.id')}
          value={id}
          maxLength={ID_LENGTH}
          autoComplete="off"
          spellCheck={false}
          mono
          error={isWrong ? t('newChannelDialog.idWrong', { id }) : undefined}
          hint={t('newChannelDialog.idHint')}
          onChange={(value) => {
            setOwnId(value)
            formMessage.clear()
          }}
        />
      </details>
    </Dialog>
  )
}

function PrivateSwitch({ on, onChange }: { readonly on: boolean; readonly onChange: (on: boolean) => void }) {
  const t = useTexts('sidebar')
  const id = useId()
  return (
    <div className={styles['row']}>
      <div className={styles['text']}>
        <span id={id} className={styles['title']}>
          {t('newChannelDialog.private')}
        </span>
        <span id={`${id}-more`} className={styles['more']}>
          {t('newChannelDialog.privateHint')}
        </span>
      </div>
      <Switch labelledBy={id} describedBy={`${id}-more`} on={on} onChange={onChange} />
    </div>
  )
}

/** Starts or opens a direct message with one or several people. */
export function NewDirectDialog() {
  const t = useTexts('sidebar')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const [userIds, setUserIds] = useState<readonly string[]>([])
  const formMessage = useRemark((own: 'nobody') => t(`newDirectDialog.${own}`))
  const [working, setWorking] = useState(false)
  const isLocal = useSession().workspace?.kind === 'local'
  const { alone, ask } = useOthers()
  const [hasAdded, setHasAdded] = useState(false)
  const close = (): void => void dispatch(dialogClosed())
  const submit = async (): Promise<void> => {
    if (userIds.length === 0) {
      formMessage.show('nobody')
      return
    }
    setWorking(true)
    const opened = await dispatch(openDirect({ userIds }))
    setWorking(false)
    if (!opened.ok) {
      formMessage.refuse(opened.error)
      return
    }
    close()
    dispatch(routeOpened({ view: 'channel', cid: opened.value }))
  }
  return (
    <Dialog
      title={t('newDirectDialog.title')}
      onClose={close}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working}>
            {t('newDirectDialog.open')}
          </Button>
        </>
      }
    >
      <PeoplePicker
        label={t('newDirectDialog.people')}
        chosen={userIds}
        max={20}
        error={formMessage.text}
        onChange={(ids) => {
          setUserIds(ids)
          formMessage.clear()
        }}
      />
      {isLocal && (alone || hasAdded) ? (
        <AddPerson
          onAdded={({ id }) => {
            setHasAdded(true)
            setUserIds((before) => [...before, id])
            formMessage.clear()
            ask()
          }}
        />
      ) : null}
    </Dialog>
  )
}
