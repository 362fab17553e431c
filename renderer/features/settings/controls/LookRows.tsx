import type { CSSProperties } from 'react'
import type { Theme } from '#shared/domain/settings.ts'
import { useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { updateSettings } from '../commands.ts'
import { SettingRow } from './SettingRow.tsx'
import styles from './Looks.module.css'
import textSizeStyles from '../Settings.module.css'

const THEMES: readonly Theme[] = ['system', 'light', 'dark', 'hc-light', 'hc-dark']

/** A radio group with a preview of each theme. */
export function ThemeChoice() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { theme } = useSettings()
  const roving = useRoving({ ids: THEMES, orientation: 'both', wrap: true, initialId: theme })
  const { ref, ...listeners } = roving.containerProps
  const choose = (value: Theme): void => void dispatch(updateSettings({ theme: value }))
  return (
    <div
      ref={(element) => {
        ref.current = element
      }}
      {...listeners}
      role="radiogroup"
      aria-label={t('appearance.theme')}
      className={styles['themes']}
    >
      {THEMES.map((value) => (
        <button
          key={value}
          type="button"
          role="radio"
          aria-checked={value === theme}
          className={cx(styles['theme'], value === theme && styles['on'])}
          {...roving.itemProps(value)}
          onClick={() => choose(value)}
          onFocus={() => value !== theme && choose(value)}
        >
          <Preview theme={value} />
          <span className={styles['label']}>
            <span className={styles['radio']} aria-hidden="true" />
            {t(`appearance.themes.${value}`)}
          </span>
        </button>
      ))}
    </div>
  )
}

/** Rendered with the tokens of its theme; "System" shows half of each. */
function Preview({ theme }: { readonly theme: Theme }) {
  if (theme !== 'system') return <Picture theme={theme} />
  return (
    <span className={styles['split']} aria-hidden="true">
      <Picture theme="light" />
      <span className={styles['half']}>
        <Picture theme="dark" />
      </span>
    </span>
  )
}

function Picture({ theme }: { readonly theme: Theme }) {
  return (
    <span className={styles['picture']} data-theme={theme} aria-hidden="true">
      <span className={styles['side']}>
        <i />
        <i className={styles['chosen']} />
        <i />
        <i />
      </span>
      <span className={styles['content']}>
        <i className={styles['strong']} />
        <i />
        <i />
        <i className={styles['accent']} />
      </span>
    </span>
  )
}

const SMALLEST = 90
const LARGEST = 150

/** From 90 to 150 percent in steps of five. */
export function TextSize() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { textScale } = useSettings()
  return (
    <span className={textSizeStyles['size']}>
      <span className={textSizeStyles['small']} aria-hidden="true">
        {t('appearance.letter')}
      </span>
      <input
        type="range"
        className={textSizeStyles['slider']}
        min={SMALLEST}
        max={LARGEST}
        style={{ '--filled': `${((textScale - SMALLEST) / (LARGEST - SMALLEST)) * 100}%` } as CSSProperties}
        step={5}
        value={textScale}
        aria-label={t('appearance.textSize')}
        aria-valuetext={t('appearance.percent', { percent: textScale })}
        onChange={(event) => void dispatch(updateSettings({ textScale: event.currentTarget.valueAsNumber }))}
      />
      <span className={textSizeStyles['large']} aria-hidden="true">
        {t('appearance.letter')}
      </span>
    </span>
  )
}

/** How much is animated. */
export function Motion() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { motion } = useSettings()
  return (
    <SettingRow title={t('appearance.motion')} hint={t('appearance.motionHint')}>
      <Segments
        label={t('appearance.motion')}
        value={motion}
        onChange={(value) => void dispatch(updateSettings({ motion: value }))}
        choices={[
          { value: 'system', label: t('appearance.system') },
          { value: 'full', label: t('appearance.full') },
          { value: 'reduced', label: t('appearance.reduced') },
        ]}
      />
    </SettingRow>
  )
}
