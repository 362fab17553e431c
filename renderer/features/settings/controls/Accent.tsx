import type { CSSProperties } from 'react'
import { ACCENTS, type Accent as AccentName } from '#shared/domain/settings.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { Tooltip } from '../../../ui/Popover/Tooltip.tsx'
import { updateSettings } from '../commands.ts'
import { SettingRow } from './SettingRow.tsx'
import styles from './Accent.module.css'

/** The identity hue that each accent is; velvet is hue 5 in every theme. Source: `styles/choices.css`. */
const HUES: Readonly<Record<AccentName, string>> = {
  velvet: 'var(--hue-5)',
  blue: 'var(--hue-6)',
  violet: 'var(--hue-7)',
  plum: 'var(--hue-8)',
  moss: 'var(--hue-4)',
}

/** The accent color. A radio group: arrow keys move and select. */
export function Accent() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { accent } = useSettings()
  const roving = useRoving({ ids: ACCENTS, orientation: 'both', wrap: true, initialId: accent })
  const { ref, ...listeners } = roving.containerProps
  const choose = (value: AccentName): void => void dispatch(updateSettings({ accent: value }))
  return (
    <SettingRow title={t('appearance.accent')} hint={t('appearance.accentHint')}>
      <span
        ref={(element) => {
          ref.current = element
        }}
        {...listeners}
        role="radiogroup"
        aria-label={t('appearance.accent')}
        className={styles['dots']}
      >
        {ACCENTS.map((value) => (
          <Tooltip key={value} text={t(`appearance.accents.${value}`)}>
            <button
              type="button"
              role="radio"
              aria-checked={value === accent}
              aria-label={t(`appearance.accents.${value}`)}
              className={styles['dot']}
              style={{ '--dot': HUES[value] } as CSSProperties}
              {...roving.itemProps(value)}
              onClick={() => choose(value)}
              onFocus={() => value !== accent && choose(value)}
            />
          </Tooltip>
        ))}
      </span>
    </SettingRow>
  )
}
