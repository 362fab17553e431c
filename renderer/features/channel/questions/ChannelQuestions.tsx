import { useRef, useId, useState } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import type { Dialogs } from '../../../store/window/kinds.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useChannel } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Refusal, Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { TypedDialog as Typed } from '../../../ui/Dialog/TypedDialog.tsx'
import { channelTitle, notifyHidden } from '../../sidebar/index.ts'
import { leaveChannel, hideChannel, clearHistory, deleteChannel } from '../commands.ts'
import styles from '../Info.module.css'
import { AddPeopleDialog } from './AddPeopleDialog.tsx'
import { leavePlace, useQuestion } from './use-question.ts'

/** The dialogs that confirm or perform an action on a channel. */
export function ChannelQuestions({ what, cid }: Dialogs['channel']) {
  switch (what) {
    case 'leave':
      return <LeaveDialog cid={cid} />
    case 'delete':
      return <DeleteDialog cid={cid} />
    case 'clear':
      return <ClearDialog cid={cid} />
    case 'hide':
      return <HideDialog cid={cid} />
    case 'people':
      return <AddPeopleDialog cid={cid} />
  }
}

/** Confirms leaving a channel and says how to come back. Focus is on Cancel. */
function LeaveDialog({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const channel = useChannel(cid)
  const name = useAppSelector((state) => channelTitle(state, cid))
  const cancel = useRef<HTMLButtonElement>(null)
  const { working, error, close, run } = useQuestion()
  const leave = async (): Promise<void> => {
    if (await run(dispatch(leaveChannel({ cid })))) dispatch(leavePlace(cid))
  }
  const isOpen = channel?.isPrivate === false && channel.type !== 'messaging'
  return (
    <Dialog
      alert
      width={400}
      title={t('leave.title', { name })}
      initialFocus={cancel}
      onClose={close}
      actions={
        <>
          <Button ref={cancel} onClick={close}>
            {t('leave.stay')}
          </Button>
          <Button variant="danger" working={working} onClick={() => void leave()}>
            {t('leave.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <DialogText>{isOpen ? t('leave.open') : t('leave.private')}</DialogText>
        <Refusal text={error} />
      </div>
    </Dialog>
  )
}

/** Hides a channel from the list until the next message, optionally clearing its history. */
export function HideDialog({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const id = useId()
  const name = useAppSelector((state) => channelTitle(state, cid))
  const wasOpen = useAppSelector(({ ui: { route } }) => route.view === 'channel' && route.cid === cid)
  const [clear, setClear] = useState(false)
  const { working, error, close, run } = useQuestion()
  const hide = async (): Promise<void> => {
    if (!(await run(dispatch(hideChannel({ cid, clearHistory: clear }))))) return
    dispatch(notifyHidden({ cid, wasOpen, cleared: clear }))
    dispatch(leavePlace(cid))
  }
  return (
    <Dialog
      width={400}
      title={t('hide.title', { name })}
      onClose={close}
      onSubmit={() => void hide()}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant={clear ? 'danger' : 'primary'} working={working}>
            {t('hide.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <DialogText>{t('hide.text')}</DialogText>
        <div className={styles['setting']}>
          <div className={styles['itemText']}>
            <div id={id} className={styles['settingName']}>
              {t('hide.clear')}
            </div>
            <div id={`${id}-hint`} className={styles['settingHint']}>
              {t('hide.clearHint')}
            </div>
          </div>
          <Switch labelledBy={id} describedBy={`${id}-hint`} on={clear} onChange={setClear} />
        </div>
        <Refusal text={error} />
      </div>
    </Dialog>
  )
}

type Props = {
  readonly cid: Cid
  readonly text: { readonly title: string; readonly text: string; readonly confirm: string }
  readonly action: () => Promise<Result<unknown, ErrorBody>>
  readonly onDone: () => void
}

function TypedDialog({ cid, text, action, onDone }: Props) {
  const name = useAppSelector((state) => channelTitle(state, cid))
  const { run, close, clear, working, error } = useQuestion()
  const confirm = async (): Promise<void> => {
    if (await run(action())) onDone()
  }
  return (
    <Typed
      {...text}
      name={name}
      working={working}
      error={error}
      onTyped={clear}
      onConfirm={() => void confirm()}
      onClose={close}
    />
  )
}

function DeleteDialog({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const name = useAppSelector((state) => channelTitle(state, cid))
  return (
    <TypedDialog
      cid={cid}
      text={{ title: t('delete.title', { name }), text: t('delete.text'), confirm: t('delete.confirm') }}
      action={() => dispatch(deleteChannel({ cid }))}
      onDone={() => dispatch(leavePlace(cid))}
    />
  )
}

function ClearDialog({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const name = useAppSelector((state) => channelTitle(state, cid))
  const { close } = useQuestion()
  return (
    <TypedDialog
      cid={cid}
      text={{ title: t('clear.title', { name }), text: t('clear.text'), confirm: t('clear.confirm') }}
      action={() => dispatch(clearHistory({ cid }))}
      onDone={close}
    />
  )
}
