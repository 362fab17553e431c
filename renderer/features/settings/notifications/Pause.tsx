import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/use-minute.ts'
import { Button } from '../../../ui/Button.tsx'
import { SettingRow } from '../SettingRow.tsx'
import { useChoices } from './use-choices.ts'
import styles from './Notifications.module.css'

const HALF_HOUR_MS = 30 * 60_000
const MORNING_HOUR = 9

/** Tomorrow at nine, on this computer's clock. */
function tomorrowMorning(now: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, MORNING_HOUR).getTime()
}

/** Nobody is told anything for a while, from now on. */
export function Pause() {
  const t = useTexts('notifications')
  const formats = useFormats()
  const now = useMinute()
  const [{ pausedUntil }, choose] = useChoices()
  const isPaused = pausedUntil > now
  const until = (at: number) => () => choose({ pausedUntil: at })
  return (
    <SettingRow
      title={t('page.pause')}
      hint={isPaused ? t('page.pausedUntil', { time: formats.dayAndTime(pausedUntil) }) : t('page.pauseHint')}
    >
      <span className={styles['buttons']}>
        {isPaused ? (
          <Button onClick={until(0)}>{t('page.resume')}</Button>
        ) : (
          <>
            <Button onClick={until(now + HALF_HOUR_MS)}>{t('page.pauseHalfHour')}</Button>
            <Button onClick={until(now + 2 * HALF_HOUR_MS)}>{t('page.pauseHour')}</Button>
            <Button onClick={until(tomorrowMorning(now))}>{t('page.pauseTomorrow')}</Button>
          </>
        )}
      </span>
    </SettingRow>
  )
}
