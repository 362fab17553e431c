import type { Cid } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { dialogClosed } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog } from '../../ui/Dialog/Dialog.tsx'
import { channelTitle } from '../sidebar/index.ts'
import { LevelChoice } from './LevelChoice.tsx'

/** The notification level of one channel, opened from its row. */
export function LevelDialog({ cid }: { readonly cid: Cid }) {
  const t = useTexts('notifications')
  const dispatch = useAppDispatch()
  const name = useAppSelector((state) => channelTitle(state, cid))
  const close = (): void => void dispatch(dialogClosed())
  return (
    <Dialog
      width={400}
      title={t('level.of', { name })}
      onClose={close}
      actions={
        <Button variant="primary" onClick={close}>
          {t('level.done')}
        </Button>
      }
    >
      <LevelChoice cid={cid} />
    </Dialog>
  )
}
