import { useState } from 'react'
import type { DryRunSummary, ListedCampaign } from '#shared/domain/manage/campaigns.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { momentOf, type Fields } from '../../../lib/time/moments.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Radios } from '../../../ui/Choice/Radios.tsx'
import { MomentFields } from '../../../ui/Dates/MomentDialog.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { useName } from '../../people/index.ts'
import { startCampaign } from './commands.ts'
import styles from './Campaigns.module.css'

type Props = {
  readonly campaign: ListedCampaign
  readonly summary: DryRunSummary
  readonly onClose: () => void
  readonly onStarted: () => void
}

const WHEN = ['now', 'later'] as const
const NO_MOMENT: Fields = { date: '', time: '' }

/** Names the number of people, and asks for it to be typed. */
export function StartDialog({ campaign, summary, onClose, onStarted }: Props) {
  const t = useTexts('campaigns')
  const common = useTexts('common')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const sender = useName(campaign.content.senderId)
  const [when, setWhen] = useState<(typeof WHEN)[number]>('now')
  const [start, setStart] = useState(NO_MOMENT)
  const [ends, setEnds] = useState(false)
  const [end, setEnd] = useState(NO_MOMENT)
  const [typed, setTyped] = useState('')
  const [working, setWorking] = useState(false)
  const formMessage = useRemark((own: 'number' | 'past' | 'end') => t(`start.${own}Wrong`))
  const { people } = summary
  const count = formats.number(people)
  const submit = async (): Promise<void> => {
    if (offline || working) return
    const scheduledFor = when === 'later' ? momentOf(start.date, start.time) : undefined
    const stopAt = ends ? momentOf(end.date, end.time) : undefined
    if (when === 'later' && (scheduledFor === undefined || scheduledFor <= Date.now())) return formMessage.show('past')
    if (ends && (stopAt === undefined || stopAt <= (scheduledFor ?? Date.now()))) return formMessage.show('end')
    if (typed.replaceAll(/[^\p{Nd}]/gu, '') !== String(people)) return formMessage.show('number')
    setWorking(true)
    const { id, version } = campaign
    const done = await dispatch(startCampaign({ id, version, people, scheduledFor, stopAt }))
    setWorking(false)
    if (!done.ok) return formMessage.refuse(done.error)
    announce(when === 'later' ? t('start.scheduled') : t('start.started'))
    onClose()
    onStarted()
  }
  const change =
    <Value,>(set: (value: Value) => void) =>
    (value: Value): void => {
      formMessage.clear()
      set(value)
    }
  return (
    <Dialog
      width={460}
      title={when === 'later' ? t('start.titleLater', { count: people }) : t('start.title', { count: people })}
      onClose={onClose}
      onSubmit={() => void submit()}
      hint={offline ? t('offline') : undefined}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working} aria-disabled={offline || undefined}>
            {when === 'later' ? t('start.confirmLater') : t('start.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <DialogText>{t('start.text', { name: campaign.content.name, sender })}</DialogText>
        <Radios
          label={t('start.when')}
          value={when}
          choices={WHEN.map((value) => ({ value, label: t(`start.${value}`) }))}
          onChange={change(setWhen)}
        />
        {when === 'later' ? <Beginning start={start} onChange={change(setStart)} /> : null}
        <Ending on={ends} end={end} onToggle={setEnds} onChange={change(setEnd)} />
        {summary.follows ? <p className={styles['note']}>{t('dry.follows')}</p> : null}
        <TextField
          label={t('start.typed', { number: count })}
          hint={t('start.typedHint')}
          value={typed}
          inputMode="numeric"
          maxLength={20}
          autoComplete="off"
          onChange={change(setTyped)}
        />
        <Refusal text={formMessage.text} />
      </div>
    </Dialog>
  )
}

function Beginning({ start, onChange }: { readonly start: Fields; readonly onChange: (start: Fields) => void }) {
  const t = useTexts('campaigns')
  return (
    <div>
      <MomentFields fields={start} onChange={onChange} />
      <p className={styles['hint']}>{t('start.zone')}</p>
    </div>
  )
}

type EndingProps = {
  readonly on: boolean
  readonly end: Fields
  readonly onToggle: (on: boolean) => void
  readonly onChange: (end: Fields) => void
}

function Ending({ on, end, onToggle, onChange }: EndingProps) {
  const t = useTexts('campaigns')
  return (
    <>
      <label className={styles['check']}>
        <input type="checkbox" checked={on} onChange={({ currentTarget }) => onToggle(currentTarget.checked)} />
        <span className={styles['toggleText']}>
          {t('start.ends')}
          <span className={styles['hint']}>{t('start.endsHint')}</span>
        </span>
      </label>
      {on ? <MomentFields fields={end} onChange={onChange} /> : null}
    </>
  )
}
