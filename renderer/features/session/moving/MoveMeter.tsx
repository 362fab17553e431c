import { useEffect, useRef, useState } from 'react'
import type { MoveProgress } from '#shared/domain/sharing.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useCommand } from '../../../store/commands.ts'
import styles from './Moving.module.css'

/** `reading`: it is being sent to main. */
type Step = MoveProgress['step'] | 'reading'
export type Progress = { readonly step: Step; readonly done: number; readonly total: number }

/** What main says of the file of this window while it works. */
export function useMoveProgress(on: boolean): MoveProgress | undefined {
  const [progress, setProgress] = useState<MoveProgress>()
  useCommand('moveProgressed', setProgress, on)
  return on ? progress : undefined
}

/** How far it is; said once for each step. */
export function MoveMeter({ progress }: { readonly progress: Progress | undefined }) {
  const t = useTexts('session')
  const formats = useFormats()
  const said = useRef<Step>(undefined)
  const { step = 'writing', done = 0, total = 0 } = progress ?? {}
  useEffect(() => {
    if (progress === undefined || said.current === step) return
    said.current = step
    announce(t(`moving.steps.${step}`))
  }, [progress, step, t])
  return (
    <div className={styles['meter']}>
      <div className={styles['step']}>
        <span>{t(`moving.steps.${step}`)}</span>
        <span className={styles['bytes']}>
          {total === 0 ? null : t('moving.of', { done: formats.bytes(done), total: formats.bytes(total) })}
        </span>
      </div>
      <progress
        className={styles['bar']}
        aria-label={t(`moving.steps.${step}`)}
        max={1}
        value={total === 0 ? 0 : done / total}
      />
    </div>
  )
}
