import { useRef } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog.tsx'
import type { Call } from './calling.ts'
import { useTitle } from './use-title.ts'

type Props = {
  readonly cid: string
  readonly call: Call
  readonly onSend: () => void
  readonly onClose: () => void
}

/** Before a message calls more people than one looks in the eye: how many they are, and for whom it is night. */
export function CallDialog({ cid, call, onSend, onClose }: Props) {
  const t = useTexts('composer')
  const name = useTitle(cid)
  const back = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      alert
      initialFocus={back}
      title={t(`calls.title.${call.reach}`, { name })}
      width={400}
      onClose={onClose}
      actions={
        <>
          <Button ref={back} onClick={onClose}>
            {t('calls.back')}
          </Button>
          <Button
            variant="primary"
            onClick={() => {
              onClose()
              onSend()
            }}
          >
            {t('calls.send')}
          </Button>
        </>
      }
    >
      <DialogText>{t(`calls.text.${call.reach}`, { count: call.count })}</DialogText>
      {call.asleep === 0 ? null : <DialogText>{t('calls.asleep', { count: call.asleep })}</DialogText>}
    </Dialog>
  )
}
