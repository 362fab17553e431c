import { useState } from 'react'
import type { ImportProgress } from '#shared/domain/imports.ts'
import { useTexts, useErrorText } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { placeOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Question } from '../Question.tsx'
import { closeImport, continueImport, pauseImport, saveReport, showReport, stopImport, undoImport } from './commands.ts'
import { Bar, LeftList, Notice, StepHeading } from './Parts.tsx'
import { shareOf } from './use-import.ts'
import type { Import } from './use-import.ts'
import styles from './Imports.module.css'

type Of<Step extends ImportProgress['step']> = Extract<ImportProgress, { step: Step }>
type Props<Step extends ImportProgress['step']> = { readonly importing: Import; readonly progress: Of<Step> }

/** It runs, or waits; one can leave the page meanwhile. */
export function RunStep({ importing, progress }: Props<'running' | 'paused'>) {
  const t = useTexts('imports')
  const [stopping, setStopping] = useState(false)
  const { done, total, channel } = progress
  const isPaused = progress.step === 'paused'
  const problem = progress.step === 'paused' ? progress.problem : undefined
  const title = t(isPaused ? 'running.paused' : 'running.title')
  return (
    <div className={styles['column']}>
      <Problem importing={importing} problem={problem} done={done} />
      <section className={styles['card']} aria-label={title}>
        <StepHeading>{title}</StepHeading>
        <p className={styles['lead']}>{t('running.text')}</p>
        <Bar value={shareOf(progress)} label={title} />
        <div className={styles['cardFoot']}>
          <span>{t('running.of', { done, total })}</span>
          {channel === '' || isPaused ? null : <span className="ellipsis">{channel}</span>}
        </div>
        <div className={styles['buttons']}>
          {isPaused ? (
            <Button working={importing.working} onClick={() => void importing.run(continueImport())}>
              {t('running.continue')}
            </Button>
          ) : (
            <Button working={importing.working} onClick={() => void importing.run(pauseImport())}>
              {t('running.pause')}
            </Button>
          )}
          <Button variant="risky" onClick={() => setStopping(true)}>
            {t('running.stop')}
          </Button>
        </div>
      </section>
      {stopping ? (
        <Question
          title={t('stop.title')}
          texts={[t('stop.text', { count: done })]}
          confirm={t('stop.confirm')}
          onConfirm={() => importing.run(stopImport())}
          onClose={() => setStopping(false)}
        />
      ) : null}
    </div>
  )
}

type ProblemProps = {
  readonly importing: Import
  readonly problem: Of<'paused'>['problem']
  readonly done: number
}

function Problem({ importing, problem, done }: ProblemProps) {
  const t = useTexts('imports')
  const errorText = useErrorText()
  const { error } = importing
  if (error !== undefined) return <Notice icon="alert-circle" tone="error" title={errorText(error)} text="" />
  if (problem === undefined) return null
  return (
    <Notice
      icon={problem === 'disk-full' ? 'database' : 'alert-circle'}
      tone="error"
      title={t(`problems.${problem}.title`)}
      text={t(`problems.${problem}.text`, { count: done })}
    />
  )
}

/** It is being undone. */
export function UndoStep({ progress }: { readonly progress: Of<'undoing'> }) {
  const t = useTexts('imports')
  return (
    <div className={styles['column']}>
      <section className={styles['card']} aria-label={t('running.undoing')}>
        <StepHeading>{t('running.undoing')}</StepHeading>
        <p className={styles['lead']}>{t('running.undoingText')}</p>
        <Bar value={shareOf(progress)} label={t('running.undoing')} />
        <div className={styles['cardFoot']}>
          <span>{t('running.of', progress)}</span>
        </div>
      </section>
    </div>
  )
}

/** What came, what did not, and what can be done with it. */
export function ReportStep({ importing, progress }: Props<'done'>) {
  const t = useTexts('imports')
  const dispatch = useAppDispatch()
  const [undoing, setUndoing] = useState(false)
  const { report, stopped, undoFailed = false } = progress
  const { first, left, skipped, messages } = report
  const title = t(stopped ? 'report.stopped' : 'report.finished')
  return (
    <div className={styles['column']}>
      <section className={styles['card']} aria-label={title}>
        <div className={styles['reportHead']}>
          <Icon name={stopped ? 'info' : 'circle-check'} size={26} />
          <div>
            <StepHeading>{title}</StepHeading>
            <p className={styles['lead']}>
              {t('report.sum', {
                messages: t('people.messages', { count: messages }),
                channels: t('report.in', { count: report.channels }),
                people: t('report.from', { count: report.people }),
              })}
            </p>
          </div>
        </div>
        {undoFailed ? (
          <Notice icon="alert-circle" tone="error" title={t('report.undoFailed')} text={t('report.undoFailedText')} />
        ) : null}
        <h3>{t('check.out')}</h3>
        <LeftList left={left} skipped={skipped} />
        <div className={styles['buttons']}>
          <SaveButton />
          <Button variant="quiet" onClick={() => setUndoing(true)}>
            {t('report.undo')}
          </Button>
          <Button variant="quiet" onClick={() => void importing.run(closeImport())}>
            {t('report.again')}
          </Button>
          {first === undefined ? null : (
            <Button variant="primary" onClick={() => dispatch(placeOpened({ cid: first.cid }))}>
              {t('report.open', { name: first.name })}
            </Button>
          )}
        </div>
      </section>
      {undoing ? (
        <Question
          title={t('undo.title')}
          texts={[t('undo.text', { count: messages }), t('undo.who'), t('undo.stays')]}
          confirm={t('undo.confirm')}
          onConfirm={() => importing.run(undoImport())}
          onClose={() => setUndoing(false)}
        />
      ) : null}
    </div>
  )
}

function SaveButton() {
  const t = useTexts('imports')
  const dispatch = useAppDispatch()
  const [saved, setSaved] = useState<string>()
  const save = async (): Promise<void> => {
    const result = await dispatch(saveReport())
    if (result.ok && result.value.saved) setSaved(result.value.saved.fileName)
  }
  if (saved === undefined) {
    return (
      <Button icon="download" onClick={() => void save()}>
        {t('report.save')}
      </Button>
    )
  }
  return (
    <span className={styles['saved']} role="status">
      <span className="ellipsis">{t('report.saved', { name: saved })}</span>
      <Button size="small" variant="link" onClick={() => void dispatch(showReport())}>
        {t('report.show')}
      </Button>
    </span>
  )
}
