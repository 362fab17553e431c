import { pausedUntil as untilOf, type Pause as PauseName } from '#shared/rules/notifications/pauses.ts'
import { useState } from 'react'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/use-minute.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { MomentDialog } from '../../../ui/Dates/MomentDialog.tsx'
import { SettingRow } from '../controls/SettingRow.tsx'
import { useChoices } from './use-choices.ts'
import styles from './Notifications.module.css'

/** Pauses all notifications for a while. */
export function Pause() {
  const t = useTexts('notifications')
  const formats = useFormats()
  const now = useMinute()
  const [{ pausedUntil }, choose] = useChoices()
  const [asks, setAsks] = useState(false)
  const isPaused = pausedUntil > now
  const pause = (how: PauseName) => () => choose({ pausedUntil: untilOf(how, Date.now()) })
  return (
    <SettingRow
      title={t('page.pause')}
      hint={isPaused ? t('page.pausedUntil', { time: formats.dayAndTime(pausedUntil) }) : t('page.pauseHint')}
    >
      <span className={styles['buttons']}>
        {isPaused ? (
          <Button onClick={pause('off')}>{t('page.resume')}</Button>
        ) : (
          <>
            <Button onClick={pause('half-hour')}>{t('page.pauseHalfHour')}</Button>
            <Button onClick={pause('hour')}>{t('page.pauseHour')}</Button>
            <Button onClick={pause('tomorrow')}>{t('page.pauseTomorrow')}</Button>
            <Button aria-haspopup="dialog" onClick={() => setAsks(true)}>
              {t('page.pauseUntil')}
            </Button>
          </>
        )}
      </span>
      {asks ? (
        <MomentDialog
          title={t('page.pauseTitle')}
          confirm={t('page.pauseConfirm')}
          result={(time) => t('page.pausedUntil', { time })}
          onChoose={(at) => choose({ pausedUntil: at })}
          onClose={() => setAsks(false)}
        />
      ) : null}
    </SettingRow>
  )
}
