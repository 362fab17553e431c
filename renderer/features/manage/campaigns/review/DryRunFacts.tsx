import { EXCLUSIONS, type DryRunSummary, type Exclusion, type ListedCampaign } from '#shared/domain/manage/campaigns.ts'
import { NIGHT } from '#shared/rules/people/local-time.ts'
import { nextMorning } from '#shared/rules/reminders/reminders.ts'
import { useErrorText, useFormats, useTexts } from '../../../../i18n/index.ts'
import { Icon, type IconName } from '../../../../ui/Icon/Icon.tsx'
import { clockOf } from '../../../../lib/time/moments.ts'
import { useMinute } from '../../../../lib/time/clocks.ts'
import { Button } from '../../../../ui/Button/Button.tsx'
import { type DryRun, nightAt, withoutZone, type StartChoice } from '../use-dry-run.ts'
import { useFieldName, withinSentence } from '../words.tsx'
import styles from '../Campaigns.module.css'

/** Which people are listed. */
export type Narrow = {
  readonly twice?: true
  readonly reach?: 'new'
  readonly missing?: string
  readonly night?: true
  readonly zoneless?: true
  readonly why?: Exclusion
}

type Props = {
  readonly dryRun: DryRun | undefined
  readonly campaign: ListedCampaign
  readonly when: StartChoice['when']
  readonly at: number
  readonly onNarrow: (narrow: Narrow) => void
}

/** What a dry run found: how many, when, what is worth a look, and who is left out. */
export function DryRunFacts({ dryRun, campaign, when, at, onNarrow }: Props) {
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
function Moment({ when, at }: Pick<Props, 'when' | 'at'>) {
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

type PartProps = Pick<Props, 'onNarrow'> & { readonly summary: DryRunSummary }

function WorthALook({ summary, at, onNarrow }: PartProps & Pick<Props, 'at'>) {
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
export function NightWarning({ summary, at, onMorning, onShow }: NightWarningProps) {
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
