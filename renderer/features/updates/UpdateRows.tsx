import { useState } from 'react'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import type { UpdateState } from '#shared/domain/desktop/desktop.ts'
import { useErrorText, useFormats, useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { command } from '../../store/command.ts'
import styles from './Updates.module.css'

/** The state of updates and the available actions, or why this installation cannot update. */
export function UpdateRows() {
  const t = useTexts('updates')
  const errorText = useErrorText()
  const updates = useAppSelector((state) => state.updates)
  const text = useStageText(updates)
  const { unable, failure, refused } = updates
  if (unable !== undefined) return <p className={styles['hint']}>{t(`unable.${unable}`)}</p>
  return (
    <>
      <p role="status" className={styles['hint']}>
        {text}
      </p>
      {refused === undefined ? null : <p className={styles['hint']}>{t('refused', { version: refused })}</p>}
      {failure === undefined ? null : (
        <p role="alert" className={styles['hint']}>
          {errorText({ code: failure })}
        </p>
      )}
      <Buttons stage={updates.stage} />
    </>
  )
}

function useStageText({ stage, version = '', share = 0, lookedAt }: UpdateState): string {
  const t = useTexts('updates')
  const formats = useFormats()
  if (stage === 'rest' && lookedAt === undefined) return t('stages.never')
  // In steps of 10 %, so that screen readers do not announce every percent.
  const text = t(`stages.${stage}`, { version, percent: Math.floor(share * 10) * 10 })
  return stage === 'rest' && lookedAt !== undefined
    ? `${text} ${t('lookedAt', { time: formats.dayAndTime(lookedAt) })}`
    : text
}

function Buttons({ stage }: Pick<UpdateState, 'stage'>) {
  const t = useTexts('updates')
  const dispatch = useAppDispatch()
  const [working, setWorking] = useState(false)
  const run = async (work: Promise<Result<void, ErrorBody>>): Promise<void> => {
    setWorking(true)
    await work
    setWorking(false)
  }
  const skip = <Button onClick={() => void dispatch(skipUpdate(undefined))}>{t('skip')}</Button>
  switch (stage) {
    case 'rest':
    case 'looking':
      return (
        <p className={styles['actions']}>
          <Button
            working={working || stage === 'looking'}
            onClick={() => void run(dispatch(lookForUpdates(undefined)))}
          >
            {t('look')}
          </Button>
        </p>
      )
    case 'found':
      return (
        <p className={styles['actions']}>
          <Button variant="primary" working={working} onClick={() => void run(dispatch(downloadUpdate(undefined)))}>
            {t('download')}
          </Button>
          {skip}
        </p>
      )
    case 'ready':
      return (
        <p className={styles['actions']}>
          <Button variant="primary" working={working} onClick={() => void run(dispatch(installUpdate(undefined)))}>
            {t('restart')}
          </Button>
          {skip}
        </p>
      )
    case 'fetching':
    case 'leaving':
      return null
  }
}

/** Quiet: the settings page shows the error. */
const lookForUpdates = command('updates/looked', (_input: undefined, engine) => engine.updates.check(), {
  quiet: true,
})
export const downloadUpdate = command('updates/downloaded', (_input: undefined, engine) => engine.updates.download(), {
  quiet: true,
})
export const installUpdate = command('updates/installed', (_input: undefined, engine) => engine.updates.install())
export const putOffUpdate = command('updates/putOff', (_input: undefined, engine) => engine.updates.later())
export const skipUpdate = command('updates/skipped', (_input: undefined, engine) => engine.updates.skip())
