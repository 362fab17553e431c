import type { DryRunSummary } from '#shared/domain/manage/campaigns.ts'
import { NIGHT } from '#shared/rules/people/local-time.ts'
import { nextMorning } from '#shared/rules/reminders/reminders.ts'
import { useFormats, useTexts } from '../../../../i18n/index.ts'
import { clockOf } from '../../../../lib/time/moments.ts'
import { useMinute } from '../../../../lib/time/clocks.ts'
import { Button } from '../../../../ui/Button/Button.tsx'
import { Icon } from '../../../../ui/Icon/Icon.tsx'
import { nightAt } from './use-start.ts'
import styles from '../Campaigns.module.css'

/** `22:00` and `08:00`, as the viewer reads times. */
export function useNightHours(): { readonly from: string; readonly until: string } {
  const formats = useFormats()
  const hour = (each: number): string => formats.time(new Date(`2026-01-05T${clockOf(each * 60)}`).getTime())
  return { from: hour(NIGHT.from), until: hour(NIGHT.until) }
}

type Props = {
  readonly summary: DryRunSummary
  readonly at: number
  readonly onMorning: (at: number) => void
  /** Shows for whom it is night. */
  readonly onShow: () => void
}

/** Says for whom the chosen moment lies in the night, as far as that is known, and offers the next morning. */
export function NightWarning({ summary, at, onMorning, onShow }: Props) {
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
