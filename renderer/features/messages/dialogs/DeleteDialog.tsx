import { useRef } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'

type Props = { readonly count: number; readonly onDelete: () => void; readonly onClose: () => void }

/** Confirms deleting messages for everyone. Focus is on Cancel. */
export function DeleteDialog({ count, onDelete, onClose }: Props) {
  const t = useTexts('messages')
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      alert
      title={count === 1 ? t('delete.title') : t('delete.titleMany', { count })}
      width={400}
      initialFocus={cancel}
      onClose={onClose}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {t('delete.keep')}
          </Button>
          <Button variant="danger" onClick={onDelete}>
            {count === 1 ? t('delete.confirm') : t('delete.confirmMany')}
          </Button>
        </>
      }
    >
      <DialogText>{count === 1 ? t('delete.why') : t('delete.whyMany')}</DialogText>
    </Dialog>
  )
}
