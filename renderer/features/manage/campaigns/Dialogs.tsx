import { useState } from 'react'
import type { ListedCampaign } from '#shared/domain/manage/campaigns.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import type { Command } from '../../../store/command.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { removeCampaign, stopCampaign } from './commands.ts'

type Props = {
  readonly campaign: ListedCampaign
  readonly onClose: () => void
  readonly onDone?: () => void
}

export function DeleteDialog({ campaign, onClose, onDone }: Props) {
  const t = useTexts('campaigns')
  const { id, content } = campaign
  return (
    <Question
      title={t('delete.title', { name: content.name })}
      text={t('delete.text')}
      confirm={t('delete.confirm')}
      done={t('delete.done', { name: content.name })}
      work={removeCampaign({ id })}
      onClose={onClose}
      onDone={onDone}
    />
  )
}

/** Names both numbers: who has the message, and who will not get it. */
export function StopDialog({ campaign, left, onClose, onDone }: Props & { readonly left: number | undefined }) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const { id, content, state, stats } = campaign
  const sent = formats.number(stats.usersSent)
  return (
    <Question
      title={t('stop.title', { name: content.name })}
      text={
        state === 'scheduled'
          ? t('stop.scheduled')
          : left === undefined
            ? t('stop.sent', { sent })
            : t('stop.both', { sent, left: formats.number(left) })
      }
      confirm={t('stop.confirm')}
      done={t('stop.done')}
      work={stopCampaign({ id })}
      onClose={onClose}
      onDone={onDone}
    />
  )
}

type QuestionProps = {
  readonly title: string
  readonly text: string
  readonly confirm: string
  readonly done: string
  readonly work: Command<unknown>
  readonly onClose: () => void
  readonly onDone?: () => void
}

function Question({ title, text, confirm, done, work, onClose, onDone }: QuestionProps) {
  const t = useTexts('campaigns')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [working, setWorking] = useState(false)
  const formMessage = useRemark()
  const submit = async (): Promise<void> => {
    if (offline || working) return
    setWorking(true)
    const result = await dispatch(work)
    setWorking(false)
    if (!result.ok) return formMessage.refuse(result.error)
    announce(done)
    onClose()
    onDone?.()
  }
  return (
    <Dialog
      alert
      width={420}
      title={title}
      onClose={onClose}
      onSubmit={() => void submit()}
      hint={offline ? t('offline') : undefined}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="danger" working={working} aria-disabled={offline || undefined}>
            {confirm}
          </Button>
        </>
      }
    >
      <DialogText>{text}</DialogText>
      <Refusal text={formMessage.text} />
    </Dialog>
  )
}
