import { useState } from 'react'
import { DEFAULT_SETTINGS, type Settings } from '#shared/domain/settings.ts'
import { useTexts } from '../../../i18n/index.ts'
import type { SettingsField } from '../../../registry/feature.ts'
import { useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { updateSettings, type SettingsChange } from '../commands.ts'
import styles from '../Settings.module.css'

type Outcome = 'done' | 'undone'

/** The given fields of the settings as a change. */
const pick = (settings: Settings, fields: readonly SettingsField[]): SettingsChange =>
  Object.fromEntries(fields.map((field) => [field, settings[field]]))

/** Resets settings to their defaults, with undo while the page is open. */
export function Reset({ label, fields }: { readonly label: string; readonly fields: readonly SettingsField[] }) {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const settings = useSettings()
  const [before, setBefore] = useState<SettingsChange>()
  const [status, setStatus] = useState<Outcome>()
  const write = async (changes: SettingsChange, held: SettingsChange | undefined, what: Outcome): Promise<void> => {
    const done = await dispatch(updateSettings(changes))
    if (!done.ok) return
    setBefore(held)
    setStatus(what)
  }
  return (
    <div className={styles['reset']}>
      <Button icon="undo" onClick={() => void write(pick(DEFAULT_SETTINGS, fields), pick(settings, fields), 'done')}>
        {label}
      </Button>
      <span role="status">{status === undefined ? null : t(`reset.${status}`)}</span>
      {before === undefined ? null : (
        <Button variant="link" onClick={() => void write(before, undefined, 'undone')}>
          {t('reset.undo')}
        </Button>
      )}
    </div>
  )
}
