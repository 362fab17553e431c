import { useState } from 'react'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { updateSettings, type SettingsChange } from '../commands.ts'
import { pick, type Field } from '../sections.ts'
import styles from '../Settings.module.css'

type Outcome = 'done' | 'undone'

/** Resets settings to their defaults, with undo while the page is open. */
export function Reset({ label, fields }: { readonly label: string; readonly fields: readonly Field[] }) {
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
