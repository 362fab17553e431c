import { useId } from 'react'
import { useTexts } from '../../i18n/index.ts'
import type { Tone } from './book.ts'
import styles from './EmojiPicker.module.css'

const TONES: readonly { readonly tone: Tone; readonly sign: string }[] = [
  { tone: 0, sign: '✋' },
  { tone: 1, sign: '✋🏻' },
  { tone: 2, sign: '✋🏼' },
  { tone: 3, sign: '✋🏽' },
  { tone: 4, sign: '✋🏾' },
  { tone: 5, sign: '✋🏿' },
]

/** Skin tone for all emoji that have one; stored. */
export function ToneChoice({ tone, onChange }: { readonly tone: Tone; readonly onChange: (tone: Tone) => void }) {
  const t = useTexts('emoji')
  const name = useId()
  return (
    <fieldset className={styles['tones']}>
      <legend className="sr-only">{t('tone')}</legend>
      {TONES.map((choice) => (
        <label key={choice.tone} className={styles['tone']} title={t(`tone${choice.tone}`)}>
          <input
            type="radio"
            className="sr-only"
            name={name}
            checked={choice.tone === tone}
            onChange={() => onChange(choice.tone)}
            aria-label={t(`tone${choice.tone}`)}
          />
          <span aria-hidden="true">{choice.sign}</span>
        </label>
      ))}
    </fieldset>
  )
}
