import { useRef } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import type { Call } from './calling.ts'
import { useTitle } from '../use-title.ts'
import type { Asking } from './use-send.ts'

type Props = Asking & { readonly cid: string }

/** What is asked before a message goes: whether it is to call so many people, or to go a second time. */
export function AskDialog({ cid, about, onSend, onClose }: Props) {
  const t = useTexts('composer')
  const name = useTitle(cid)
  const back = useRef<HTMLButtonElement>(null)
  const isAgain = about === 'again'
  return (
    <Dialog
      alert
      initialFocus={back}
      title={isAgain ? t('again.title') : t(`calls.title.${about.broadcast}`, { name })}
      width={400}
      onClose={onClose}
      actions={
        <>
          <Button ref={back} onClick={onClose}>
            {t(isAgain ? 'again.back' : 'calls.back')}
          </Button>
          <Button
            variant="primary"
            onClick={() => {
              onClose()
              onSend()
            }}
          >
            {t(isAgain ? 'again.send' : 'calls.send')}
          </Button>
        </>
      }
    >
      {isAgain ? <DialogText>{t('again.text')}</DialogText> : <Called call={about} />}
    </Dialog>
  )
}

/** How many they are, and for whom it is night. */
function Called({ call: { broadcast: reach, count, asleep } }: { readonly call: Call }) {
  const t = useTexts('composer')
  return (
    <>
      <DialogText>{t(`calls.text.${reach}`, { count })}</DialogText>
      {asleep === 0 ? null : <DialogText>{t('calls.asleep', { count: asleep })}</DialogText>}
    </>
  )
}
