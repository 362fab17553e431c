import { useRef } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import type { BroadcastWarning } from './broadcasts.ts'
import { useTitle } from '../selectors.ts'
import type { SendQuestion } from './use-send.ts'

type Props = SendQuestion & { readonly cid: string }

/** Confirms that a message should notify many people, or be sent a second time. */
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
      {isAgain ? <DialogText>{t('again.text')}</DialogText> : <BroadcastText warning={about} />}
    </Dialog>
  )
}

/** How many people would be notified, and for how many of them it is night. */
function BroadcastText({ warning: { broadcast, count, asleep } }: { readonly warning: BroadcastWarning }) {
  const t = useTexts('composer')
  return (
    <>
      <DialogText>{t(`calls.text.${broadcast}`, { count })}</DialogText>
      {asleep === 0 ? null : <DialogText>{t('calls.asleep', { count: asleep })}</DialogText>}
    </>
  )
}
