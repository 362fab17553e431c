import { useState } from 'react'
import { LOCK_MINUTES } from '#shared/domain/desktop/lock.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useSetting } from '../../../store/hooks.ts'
import { selectLock } from '../../../store/window/lock.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { HostSuspense } from '../../connection/index.ts'
import { lockNow, PinDialog, type PinQuestion } from '../../lock/index.ts'
import { updateSettings } from '../commands.ts'
import { SettingRow } from '../controls/SettingRow.tsx'

/** PIN lock: on or off, when it locks automatically, and Lock now. */
export function LockSettings() {
  const t = useTexts('lock')
  const dispatch = useAppDispatch()
  const { on } = useAppSelector(selectLock)
  const minutes = useSetting('lockMinutes')
  const [asking, setAsking] = useState<PinQuestion>()
  const name = t('settings.after')
  return (
    <>
      <h2>{t('settings.title')}</h2>
      <SettingRow title={t('settings.pin')} hint={t('settings.pinHint')}>
        {on ? (
          <>
            <Button onClick={() => setAsking('change')}>{t('settings.change')}</Button>
            <Button onClick={() => setAsking('remove')}>{t('settings.remove')}</Button>
          </>
        ) : (
          <Button onClick={() => setAsking('set')}>{t('settings.set')}</Button>
        )}
      </SettingRow>
      {on ? (
        <>
          <SettingRow title={name} hint={t('settings.afterHint')}>
            <Select
              label={name}
              value={String(minutes)}
              choices={LOCK_MINUTES.map((count) => ({
                value: String(count),
                label: count === 0 ? t('settings.never') : t('settings.minutes', { count }),
              }))}
              onChange={(value) => {
                const lockMinutes = LOCK_MINUTES.find((each) => String(each) === value)
                if (lockMinutes !== undefined) void dispatch(updateSettings({ lockMinutes }))
              }}
            />
          </SettingRow>
          <SettingRow title={t('settings.now')} hint={t('settings.nowHint')}>
            <Button icon="lock" onClick={() => void dispatch(lockNow(undefined))}>
              {t('settings.lock')}
            </Button>
          </SettingRow>
        </>
      ) : null}
      <HostSuspense onClose={() => setAsking(undefined)}>
        {asking === undefined ? null : <PinDialog what={asking} onClose={() => setAsking(undefined)} />}
      </HostSuspense>
    </>
  )
}
