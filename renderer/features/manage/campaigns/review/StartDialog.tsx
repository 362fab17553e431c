import { useState } from 'react'
import type { DryRunSummary, ListedCampaign } from '#shared/domain/manage/campaigns.ts'
import { nextMorning } from '#shared/rules/reminders/reminders.ts'
import { useFormats, useRemark, useTexts } from '../../../../i18n/index.ts'
import { announce } from '../../../../lib/page/announce.ts'
import { daysFrom, fieldsOf, momentOf } from '../../../../lib/time/moments.ts'
import { useAppDispatch, useConnection } from '../../../../store/hooks.ts'
import { Button } from '../../../../ui/Button/Button.tsx'
import { Radios } from '../../../../ui/Choice/Radios.tsx'
import { MomentFields } from '../../../../ui/Dates/MomentDialog.tsx'
import { Dialog, DialogText, Refusal } from '../../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../../ui/Field/TextField.tsx'
import { useName } from '../../../people/index.ts'
import { startCampaign } from '../commands.ts'
import { NightWarning } from './DryRunFacts.tsx'
import { withoutZone, type StartChoice, type useStartChoice } from '../use-dry-run.ts'
import styles from '../Campaigns.module.css'

type Props = {
  readonly campaign: ListedCampaign
  readonly summary: DryRunSummary
  readonly starting: ReturnType<typeof useStartChoice>
  readonly onClose: () => void
  readonly onStarted: () => void
  /** Shows for whom it is night then. */
  readonly onShowNight: () => void
}

const WHEN = ['now', 'later'] as const

/** Names the number of people and the moment, and asks for the number to be typed. */
export function StartDialog({ campaign, summary, starting, onClose, onStarted, onShowNight }: Props) {
  const t = useTexts('campaigns')
  const common = useTexts('common')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const sender = useName(campaign.content.senderId)
  const [typed, setTyped] = useState('')
  const [working, setWorking] = useState(false)
  const formMessage = useRemark((own: 'number' | 'past' | 'end') => t(`start.${own}Wrong`))
  const { people } = summary
  const { choice } = starting
  const { when, start, ends, end } = choice
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
  const change = (to: Partial<StartChoice>): void => {
    formMessage.clear()
    starting.change(to)
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
        <Beginning summary={summary} starting={starting} onChange={change} onShowNight={onShowNight} />
        <Ending starting={starting} onChange={change} />
        {summary.follows ? <p className={styles['note']}>{t('dry.follows')}</p> : null}
        <TextField
          label={t('start.typed', { number: count })}
          hint={t('start.typedHint')}
          value={typed}
          inputMode="numeric"
          maxLength={20}
          autoComplete="off"
          onChange={(next) => {
            formMessage.clear()
            setTyped(next)
          }}
        />
        <Refusal text={formMessage.text} />
      </div>
    </Dialog>
  )
}

type BeginningProps = Pick<Props, 'summary' | 'starting' | 'onShowNight'> & {
  readonly onChange: (to: Partial<StartChoice>) => void
}

/** When it starts, what time that is for whom, and whether they sleep then. */
function Beginning({ summary, starting: { choice, at }, onChange, onShowNight }: BeginningProps) {
  const t = useTexts('campaigns')
  const { when, start } = choice
  return (
    <>
      <Radios
        label={t('start.when')}
        value={when}
        choices={WHEN.map((value) => ({ value, label: t(`start.${value}`) }))}
        onChange={(next) =>
          onChange({ when: next, ...(start.date === '' ? { start: fieldsOf(nextMorning(Date.now())) } : {}) })
        }
      />
      {when === 'later' ? <MomentFields fields={start} onChange={(next) => onChange({ start: next })} /> : null}
      <Clocks summary={summary} at={at} when={when} />
      <NightWarning
        summary={summary}
        at={at}
        onMorning={(morning) => onChange({ when: 'later', start: fieldsOf(morning) })}
        onShow={onShowNight}
      />
    </>
  )
}

/** Other time zones that are named as an example. */
const EXAMPLES = 2

/** What time it is then: here, and where most of the others are. */
function Clocks({ summary, at, when }: Pick<Props, 'summary'> & { readonly at: number; readonly when: string }) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const zone = formats.zone(at) ?? ''
  const here = formats.time(at)
  const unknown = withoutZone(summary)
  const elsewhere = Object.entries(summary.zones)
    .toSorted(([, a], [, b]) => b - a)
    .flatMap(([each]) => {
      const time = formats.timeIn(at, each)
      return time === undefined || time === here ? [] : [`${time} (${formats.zone(at, each) ?? each})`]
    })
    .slice(0, EXAMPLES)
  return (
    <p className={styles['hint']}>
      {when === 'later'
        ? t('moment.later', { time: formats.dayAndTime(at), zone })
        : t('moment.now', { time: here, zone })}{' '}
      {elsewhere.length === 0 ? null : `${t('moment.elsewhere', { times: formats.list(elsewhere) })} `}
      {unknown === 0 ? null : t('moment.unknown', { count: unknown })}
    </p>
  )
}

const dayAfter = (at: number): StartChoice['end'] => {
  const { date, time } = fieldsOf(at)
  return { date: daysFrom(date, 1), time }
}

type EndingProps = Pick<Props, 'starting'> & { readonly onChange: (to: Partial<StartChoice>) => void }

/** When it stops at the latest: a day after its start, unless another moment is chosen. */
function Ending({ starting: { choice, at }, onChange }: EndingProps) {
  const { ends, end } = choice
  const t = useTexts('campaigns')
  return (
    <>
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={ends}
          onChange={({ currentTarget }) =>
            onChange({ ends: currentTarget.checked, ...(end.date === '' ? { end: dayAfter(at) } : {}) })
          }
        />
        <span className={styles['toggleText']}>
          {t('start.ends')}
          <span className={styles['hint']}>{t('start.endsHint')}</span>
        </span>
      </label>
      {ends ? <MomentFields fields={end} onChange={(next) => onChange({ end: next })} /> : null}
    </>
  )
}
