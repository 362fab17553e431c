import { useRef } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { MomentDialog } from '../../../ui/Dates/index.ts'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { useTitle } from '../selectors.ts'
import type { BroadcastWarning } from '../suggestions/mentions.ts'
import type { SendQuestion } from './use-send.ts'

type ScheduleDialogProps = {
  /** The current time of sending, epoch milliseconds. */
  readonly start?: number
  readonly onChoose: (at: number) => void
  readonly onClose: () => void
}

/** Chooses a day and a time to send at, with a note that Parlor must be open then. */
export function ScheduleDialog(props: ScheduleDialogProps) {
  const t = useTexts('composer')
  return (
    <MomentDialog
      {...props}
      title={t('later.title')}
      confirm={t('later.confirm')}
      result={(time) => t('later.at', { time })}
      note={t('later.note')}
    />
  )
}

type AskDialogProps = SendQuestion & { readonly cid: string }

/** What is asked before a message is sent. */
function useQuestion(about: SendQuestion['about'], cid: string) {
  const t = useTexts('composer')
  const name = useTitle(cid)
  if (about === 'again') {
    return { title: t('again.title'), text: t('again.text'), back: t('again.back'), send: t('again.send') }
  }
  if ('unknown' in about) {
    const title = t('unknown.title', { name: about.unknown })
    return { title, text: t('unknown.text'), back: t('unknown.back'), send: t('unknown.send') }
  }
  const title = t(`calls.title.${about.broadcast}`, { name })
  return { title, warning: about, back: t('calls.back'), send: t('calls.send') }
}

/** Confirms that a message should notify many people, be sent a second time, or be sent although it looks like a command. */
export function AskDialog({ cid, about, onSend, onClose }: AskDialogProps) {
  const back = useRef<HTMLButtonElement>(null)
  const asked = useQuestion(about, cid)
  return (
    <Dialog
      alert
      initialFocus={back}
      title={asked.title}
      width={400}
      onClose={onClose}
      actions={
        <>
          <Button ref={back} onClick={onClose}>
            {asked.back}
          </Button>
          <Button
            variant="primary"
            onClick={() => {
              onClose()
              onSend()
            }}
          >
            {asked.send}
          </Button>
        </>
      }
    >
      {asked.warning === undefined ? <DialogText>{asked.text}</DialogText> : <BroadcastText warning={asked.warning} />}
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
