import type { CSSProperties } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { updateSettings } from '../commands.ts'
import styles from '../Settings.module.css'

const SMALLEST = 90
const LARGEST = 150

/** From 90 to 150 percent in steps of five. */
export function TextSize() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { textScale } = useSettings()
  return (
    <span className={styles['size']}>
      <span className={styles['small']} aria-hidden="true">
        {t('appearance.letter')}
      </span>
      <input
        type="range"
        className={styles['slider']}
        min={SMALLEST}
        max={LARGEST}
        style={{ '--filled': `${((textScale - SMALLEST) / (LARGEST - SMALLEST)) * 100}%` } as CSSProperties}
        step={5}
        value={textScale}
        aria-label={t('appearance.textSize')}
        aria-valuetext={t('appearance.percent', { percent: textScale })}
        onChange={(event) => void dispatch(updateSettings({ textScale: event.currentTarget.valueAsNumber }))}
      />
      <span className={styles['large']} aria-hidden="true">
        {t('appearance.letter')}
      </span>
    </span>
  )
}
