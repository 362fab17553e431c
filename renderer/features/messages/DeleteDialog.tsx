import { useRef } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog.tsx'

/** The question before a message goes for everybody. Focus is on the safe button. */
export function DeleteDialog({ onDelete, onClose }: { readonly onDelete: () => void; readonly onClose: () => void }) {
  const t = useTexts('messages')
  const keep = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      alert
      title={t('delete.title')}
      width={400}
      initialFocus={keep}
      onClose={onClose}
      actions={
        <>
          <Button ref={keep} onClick={onClose}>
            {t('delete.keep')}
          </Button>
          <Button variant="danger" onClick={onDelete}>
            {t('delete.confirm')}
          </Button>
        </>
      }
    >
      <DialogText>{t('delete.why')}</DialogText>
    </Dialog>
  )
}
