import { useRef } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'

type Props = { readonly count: number; readonly onConfirm: () => void; readonly onClose: () => void }

/** Asks before messages are deleted for good. */
export function DeleteDialog({ count, onConfirm, onClose }: Props) {
  const t = useTexts('review')
  const common = useTexts('common')
  const safe = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      alert
      width={400}
      title={t('foreverDialog.title', { count })}
      initialFocus={safe}
      onClose={onClose}
      actions={
        <>
          <Button ref={safe} onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button variant="danger" onClick={onConfirm}>
            {t('foreverDialog.confirm')}
          </Button>
        </>
      }
    >
      <DialogText>{t('foreverDialog.text', { count })}</DialogText>
    </Dialog>
  )
}
