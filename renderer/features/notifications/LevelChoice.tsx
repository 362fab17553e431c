import { useId } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { Radios } from '../../ui/Choice/Radios.tsx'
import { useLevel } from './use-level.ts'
import styles from './Level.module.css'

const LEVELS = ['all', 'mentions', 'none'] as const

/** Which messages of a channel notify, with a sentence that explains the effect. Saved when chosen. */
export function LevelChoice({ cid }: { readonly cid: Cid }) {
  const t = useTexts('notifications')
  const effectId = useId()
  const { own, usual, choose } = useLevel(cid)
  return (
    <div className={styles['choice']} role="group" aria-label={t('level.title')} aria-describedby={effectId}>
      <Radios
        label={t('level.title')}
        value={own ?? 'usual'}
        onChange={(value) => choose(value === 'usual' ? undefined : value)}
        choices={[
          { value: 'usual', label: t('level.usual'), hint: t(`page.levels.${usual}`) },
          ...LEVELS.map((value) => ({ value, label: t(`page.levels.${value}`) })),
        ]}
      />
      <p id={effectId} role="status" className={styles['effect']}>
        {t(`level.effects.${own ?? usual}`)}
      </p>
    </div>
  )
}
