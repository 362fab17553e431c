import type { Cid } from '#shared/lib/brand.ts'
import type { Dialogs } from '../../../store/window/kinds.ts'
import { AddPeopleDialog } from './AddPeopleDialog.tsx'
import { ClearDialog, DeleteDialog } from './TypedDialog.tsx'
import { HideDialog } from './HideDialog.tsx'
import { useRef } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useChannel } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Refusal } from '../../../ui/Dialog/Refusal.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { channelTitle } from '../../sidebar/index.ts'
import { leaveChannel } from '../commands.ts'
import { leavePlace } from './leave-place.ts'
import { useQuestion } from './use-question.ts'
import styles from '../Info.module.css'

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
