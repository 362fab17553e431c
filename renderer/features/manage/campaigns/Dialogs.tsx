import type { ReactNode } from 'react'
import type { ListedCampaign } from '#shared/domain/manage/campaigns.ts'
import { ok } from '#shared/lib/app-error.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Question } from '../Page.tsx'
import { removeCampaign, stopCampaign } from './commands.ts'
import styles from './Campaigns.module.css'

type Props = {
  readonly campaign: ListedCampaign
  readonly onClose: () => void
  readonly onDone?: () => void
}

export function DeleteDialog({ campaign, onClose, onDone }: Props) {
  const t = useTexts('campaigns')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const { id, content } = campaign
  return (
    <Question
      title={t('delete.title', { name: content.name })}
      texts={[t('delete.text')]}
      confirm={t('delete.confirm')}
      done={t('delete.done', { name: content.name })}
      blocked={offline ? t('offline') : undefined}
      onConfirm={() => dispatch(removeCampaign({ id }))}
      onClose={onClose}
      onDone={onDone}
    />
  )
}

/** Names both numbers: who has the message, and who will not get it. */
export function StopDialog({ campaign, left, onClose, onDone }: Props & { readonly left: number | undefined }) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const { id, content, state, stats } = campaign
  const sent = formats.number(stats.usersSent)
  return (
    <Question
      title={t('stop.title', { name: content.name })}
      texts={[
        state === 'scheduled'
          ? t('stop.scheduled')
          : left === undefined
            ? t('stop.sent', { sent })
            : t('stop.both', { sent, left: formats.number(left) }),
      ]}
      confirm={t('stop.confirm')}
      done={t('stop.done')}
      blocked={offline ? t('offline') : undefined}
      onConfirm={() => dispatch(stopCampaign({ id }))}
      onClose={onClose}
      onDone={onDone}
    />
  )
}

/** What is stored on the server stays as it is. */
export function DiscardDialog({
  onDiscard,
  onClose,
}: {
  readonly onDiscard: () => void
  readonly onClose: () => void
}) {
  const t = useTexts('campaigns')
  return (
    <Question
      title={t('drafts.discardTitle')}
      texts={[t('drafts.discardText')]}
      confirm={t('drafts.discardConfirm')}
      done={t('drafts.discarded')}
      blocked={undefined}
      onConfirm={() => Promise.resolve(ok(undefined))}
      onClose={onClose}
      onDone={onDiscard}
    />
  )
}

type FormProps = {
  readonly title: string
  readonly confirm: string
  readonly error: string | undefined
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A few fields, and what is wrong with them. */
export function FormDialog({ title, confirm, error, onSubmit, onClose, children }: FormProps) {
  const common = useTexts('common')
  return (
    <Dialog
      width={420}
      title={title}
      onClose={onClose}
      onSubmit={onSubmit}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary">
            {confirm}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {children}
        <Refusal text={error} />
      </div>
    </Dialog>
  )
}
