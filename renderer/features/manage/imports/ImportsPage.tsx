import { useState } from 'react'
import type { ImportCheck, ImportState, ImportProgress } from '#shared/domain/imports.ts'
import { useFormats, useTexts, useErrorText } from '../../../i18n/index.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { useAppDispatch } from '../../../store/hooks.ts'
import { placeOpened } from '../../../store/window/ui.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Page, Question } from '../Page.tsx'
import { useMayManage } from '../state.ts'
import { CheckStep } from './CheckStep.tsx'
import {
  closeImport,
  continueImport,
  pauseImport,
  saveReport,
  showReport,
  stopImport,
  undoImport,
  useImport,
  type Import,
  shareOf,
} from './commands.ts'
import { FileStep } from './FileStep.tsx'
import { Notice, Stepper, type StepName, Bar, LeftList, StepHeading } from './Steps.tsx'
import styles from './Imports.module.css'

type Props = { readonly onBack?: () => void }

/** History of another app comes into this workspace: the file, what is in it, and the import itself. */
export function ImportsPage({ onBack }: Props) {
  const t = useTexts('imports')
  const manage = useTexts('manage')
  const isAllowed = useMayManage('imports')
  const importing = useImport(isAllowed)
  const { state, error } = importing
  const isDenied = !isAllowed || error?.code === 'imports/not-allowed'
  const source = state?.source
  return (
    <Page
      icon="upload"
      title={source === undefined ? t('title') : t('titleFrom', { source: t(`sources.${source}`) })}
      fact={state?.name}
      onBack={onBack}
      actions={isDenied ? undefined : <Stepper step={stepOf(state)} />}
    >
      {isDenied ? (
        <div className={styles['column']}>
          <Notice
            icon="lock"
            tone="warning"
            title={t('denied.title')}
            text={t('denied.text', { right: manage('rights.imports') })}
          />
        </div>
      ) : (
        <Step importing={importing} />
      )}
    </Page>
  )
}

function stepOf(state: ImportState | undefined): StepName {
  switch (state?.progress.step) {
    case 'checked':
      return 'check'
    case 'running':
    case 'paused':
    case 'done':
    case 'undoing':
      return 'import'
    case undefined:
    case 'none':
    case 'reading':
    case 'refused':
      return 'file'
  }
}

function Step({ importing }: { readonly importing: Import }) {
  const { progress } = importing.state ?? {}
  switch (progress?.step) {
    case 'checked': {
      const { figures } = progress.check
      if (figures.messages === figures.known) return <NothingNew importing={importing} check={progress.check} />
      return <CheckStep importing={importing} check={progress.check} />
    }
    case 'running':
    case 'paused':
      return <RunStep importing={importing} progress={progress} />
    case 'undoing':
      return <UndoStep progress={progress} />
    case 'done':
      return <ReportStep importing={importing} progress={progress} />
    case undefined:
      // The state is not known yet, or why it is not.
      return importing.error === undefined ? null : <FileStep importing={importing} />
    case 'none':
    case 'reading':
    case 'refused':
      return <FileStep importing={importing} />
  }
}

function NothingNew({ importing, check }: { readonly importing: Import; readonly check: ImportCheck }) {
  const t = useTexts('imports')
  const common = useTexts('common')
  const formats = useFormats()
  const { messages } = check.figures
  const date = check.earlier === undefined ? '' : formats.date(check.earlier, 0)
  return (
    <div className={styles['column']}>
      <Notice
        icon="info"
        tone="info"
        title={t(messages === 0 ? 'none.title' : 'same.title')}
        text={messages === 0 ? t('none.text') : t('same.text', { count: messages, date })}
        action={
          <Button size="small" onClick={() => void importing.run(closeImport())}>
            {common('close')}
          </Button>
        }
      />
    </div>
  )
}

type Of<Step extends ImportProgress['step']> = Extract<ImportProgress, { step: Step }>
type RunStepProps<Step extends ImportProgress['step']> = { readonly importing: Import; readonly progress: Of<Step> }

/** It runs, or waits; one can leave the page meanwhile. */
function RunStep({ importing, progress }: RunStepProps<'running' | 'paused'>) {
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
function UndoStep({ progress }: { readonly progress: Of<'undoing'> }) {
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
function ReportStep({ importing, progress }: RunStepProps<'done'>) {
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
