import { useState } from 'react'
import { type DryRunSummary, type ListedCampaign, EXCLUSIONS, type Exclusion } from '#shared/domain/manage/campaigns.ts'
import { nextMorning } from '#shared/rules/reminders/reminders.ts'
import { NIGHT } from '#shared/rules/people/local-time.ts'
import { useFormats, useRemark, useTexts, useErrorText } from '../../../../i18n/index.ts'
import { announce } from '../../../../lib/page/announce.ts'
import { daysFrom, fieldsOf, momentOf, clockOf } from '../../../../lib/time/moments.ts'
import { useAppDispatch, useConnection } from '../../../../store/hooks.ts'
import { Button } from '../../../../ui/Button/Button.tsx'
import { Radios } from '../../../../ui/Choice/Choice.tsx'
import { MomentFields } from '../../../../ui/Dates/MomentDialog.tsx'
import { Dialog, DialogText, Refusal } from '../../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../../ui/Field/TextField.tsx'
import { Icon, type IconName } from '../../../../ui/Icon/Icon.tsx'
import { useMinute } from '../../../../lib/time/clocks.ts'
import { useName } from '../../../people/index.ts'
import { startCampaign } from '../commands.ts'
import { withoutZone, type StartChoice, type useStartChoice, type DryRun, nightAt } from '../use-dry-run.ts'
import styles from '../Campaigns.module.css'
import { useFieldName, withinSentence } from '../words.tsx'

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

/** Which people are listed. */
export type Narrow = {
  readonly twice?: true
  readonly reach?: 'new'
  readonly missing?: string
  readonly night?: true
  readonly zoneless?: true
  readonly why?: Exclusion
}

type DryRunFactsProps = {
  readonly dryRun: DryRun | undefined
  readonly campaign: ListedCampaign
  readonly when: StartChoice['when']
  readonly at: number
  readonly onNarrow: (narrow: Narrow) => void
}

/** What a dry run found: how many, when, what is worth a look, and who is left out. */
export function DryRunFacts({ dryRun, campaign, when, at, onNarrow }: DryRunFactsProps) {
  const t = useTexts('campaigns')
  const errorText = useErrorText()
  const summary = dryRun?.summary
  if (dryRun?.error !== undefined) return <p role="alert">{errorText(dryRun.error)}</p>
  if (summary === undefined)
    return <p className={styles['hint']}>{t('who.counting', { count: dryRun?.checked ?? 0 })}</p>
  return (
    <div className={styles['aside']}>
      <h2 className={styles['factsHead']}>{t('dry.people', { count: summary.people })}</h2>
      <p className={styles['hint']}>{t('dry.once')}</p>
      <Moment when={when} at={at} />
      <WorthALook summary={summary} at={at} onNarrow={onNarrow} />
      <LeftOut summary={summary} onNarrow={onNarrow} />
      {summary.channels === 0 ? null : (
        <p className={styles['hint']}>{t('dry.channels', { count: summary.channels })}</p>
      )}
      {campaign.content.channel?.id === undefined ? null : <p className={styles['hint']}>{t('dry.shared')}</p>}
      {summary.follows ? (
        <p className={styles['note']}>
          <Icon name="info" size={16} />
          {t('dry.follows')}
        </p>
      ) : null}
    </div>
  )
}

/** The contract knows one moment for everyone. */
function Moment({ when, at }: Pick<DryRunFactsProps, 'when' | 'at'>) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const zone = formats.zone(at) ?? ''
  return (
    <p className={styles['hint']}>
      {when === 'later'
        ? t('moment.later', { time: formats.dayAndTime(at), zone })
        : t('moment.now', { time: formats.time(at), zone })}
    </p>
  )
}

type PartProps = Pick<DryRunFactsProps, 'onNarrow'> & { readonly summary: DryRunSummary }

function WorthALook({ summary, at, onNarrow }: PartProps & Pick<DryRunFactsProps, 'at'>) {
  const t = useTexts('campaigns')
  const fieldName = useFieldName()
  const hours = useNightHours()
  const looks: readonly LookProps[] = [
    {
      icon: 'moon',
      warns: true,
      text: t('night.look', hours),
      count: nightAt(summary, at).people,
      onPress: () => onNarrow({ night: true }),
    },
    ...Object.entries(summary.missing).map(([key, count]) => ({
      icon: 'user' as const,
      warns: true,
      text: t('who.missing', { field: withinSentence(fieldName(key)) }),
      count,
      onPress: () => onNarrow({ missing: key }),
    })),
    {
      icon: 'clock',
      text: t('night.zoneless'),
      count: withoutZone(summary),
      onPress: () => onNarrow({ zoneless: true }),
    },
    { icon: 'chat', text: t('dry.new'), count: summary.reach.new ?? 0, onPress: () => onNarrow({ reach: 'new' }) },
    { icon: 'copy', text: t('dry.twice'), count: summary.twice, onPress: () => onNarrow({ twice: true }) },
  ]
  return <Looks title={t('dry.look')} looks={looks} />
}

function LeftOut({ summary, onNarrow }: PartProps) {
  const t = useTexts('campaigns')
  const looks = EXCLUSIONS.map((why) => ({
    text: t(`excluded.${why}`),
    count: summary.excluded[why] ?? 0,
    onPress: () => onNarrow({ why }),
  }))
  return <Looks title={t('dry.leftOut', { count: leftOut(summary) })} looks={looks} />
}

export const leftOut = (summary: DryRunSummary | undefined): number =>
  Object.values(summary?.excluded ?? {}).reduce((sum, count) => sum + count, 0)

type LookProps = {
  readonly icon?: IconName
  readonly warns?: boolean
  readonly text: string
  readonly count: number
  readonly onPress: () => void
}

/** Those that concern nobody are left out. */
function Looks({ title, looks }: { readonly title: string; readonly looks: readonly LookProps[] }) {
  const formats = useFormats()
  const shown = looks.filter(({ count }) => count > 0)
  if (shown.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className={styles['asideHead']}>{title}</h3>
      <ul className={styles['looks']}>
        {shown.map(({ icon, warns = false, text, count, onPress }) => (
          <li key={text}>
            <button
              type="button"
              className={styles['look']}
              data-tone={warns ? 'warning' : undefined}
              onClick={onPress}
            >
              {icon === undefined ? null : <Icon name={icon} size={16} />}
              <span className={styles['lookText']}>{text}</span>
              <span className={styles['lookCount']}>{formats.number(count)}</span>
              <Icon name="chevron-right" size={14} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** `22:00` and `08:00`, as the viewer reads times. */
function useNightHours(): { readonly from: string; readonly until: string } {
  const formats = useFormats()
  const hour = (each: number): string => formats.time(new Date(`2026-01-05T${clockOf(each * 60)}`).getTime())
  return { from: hour(NIGHT.from), until: hour(NIGHT.until) }
}

type NightWarningProps = {
  readonly summary: DryRunSummary
  readonly at: number
  readonly onMorning: (at: number) => void
  /** Shows for whom it is night. */
  readonly onShow: () => void
}

/** Says for whom the chosen moment lies in the night, as far as that is known, and offers the next morning. */
function NightWarning({ summary, at, onMorning, onShow }: NightWarningProps) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const hours = useNightHours()
  const now = useMinute()
  const { people, here } = nightAt(summary, at)
  if (people === 0 && !here) return null
  const morning = nextMorning(Math.max(at, now))
  const later = nightAt(summary, morning)
  return (
    <div role="status" className={styles['night']}>
      <Icon name="moon" size={17} />
      <div className={styles['nightText']}>
        {here ? <p>{t('night.here', hours)}</p> : null}
        {people === 0 ? null : <p>{t('night.people', { ...hours, count: people })}</p>}
        <p className={styles['nightActions']}>
          <Button size="small" onClick={() => onMorning(morning)}>
            {t('night.morning', { time: formats.dayAndTime(morning) })}
          </Button>
          {people === 0 ? null : (
            <Button size="small" variant="link" onClick={onShow}>
              {t('night.show')}
            </Button>
          )}
        </p>
        {later.people === 0 ? null : <p>{t('night.morningToo', { count: later.people })}</p>}
      </div>
    </div>
  )
}
