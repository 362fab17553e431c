import { useState } from 'react'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useSession } from '../../../store/hooks.ts'
import { dialogClosed, routeOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { AddPerson } from '../../session/index.ts'
import { openDirect } from '../commands.ts'
import { PeoplePicker, useOthers } from './PeoplePicker.tsx'

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
