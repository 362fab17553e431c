import { useId, useState } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Refusal } from '../../../ui/Dialog/Refusal.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { channelTitle, notifyHidden } from '../../sidebar/index.ts'
import { hideChannel } from '../commands.ts'
import { leavePlace } from './leave-place.ts'
import { useQuestion } from './use-question.ts'
import styles from '../Info.module.css'

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
