import { useRef, useState } from 'react'
import { emojiCode } from '#shared/rules/messages/emoji.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { Refusal } from '../../../ui/Dialog/Refusal.tsx'
import { removeEmoji } from './commands.ts'

/** Confirms deleting an emoji for everyone. Focus is on Cancel. */
export function DeleteEmoji({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const t = useTexts('emoji')
  const dispatch = useAppDispatch()
  const cancel = useRef<HTMLButtonElement>(null)
  const [working, setWorking] = useState(false)
  const formMessage = useRemark()
  const code = emojiCode(name)
  const remove = async (): Promise<void> => {
    setWorking(true)
    const done = await dispatch(removeEmoji({ name }))
    setWorking(false)
    if (!done.ok && done.error.code !== 'emoji/gone') return formMessage.refuse(done.error)
    announce(t('page.removed', { code }))
    onClose()
  }
  return (
    <Dialog
      alert
      title={t('page.deleteTitle', { code })}
      width={400}
      initialFocus={cancel}
      onClose={onClose}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {t('page.keep')}
          </Button>
          <Button variant="danger" working={working} onClick={() => void remove()}>
            {t('page.delete')}
          </Button>
        </>
      }
    >
      <DialogText>{t('page.deleteWhy', { code })}</DialogText>
      <Refusal text={formMessage.text} />
    </Dialog>
  )
}
