import type { ImportCheck, ImportState } from '#shared/domain/imports.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Page } from '../Page.tsx'
import { useMayManage } from '../state.ts'
import { CheckStep } from './CheckStep.tsx'
import { closeImport } from './commands.ts'
import { FileStep } from './FileStep.tsx'
import { Notice, Stepper, type StepName } from './Parts.tsx'
import { ReportStep, RunStep, UndoStep } from './RunStep.tsx'
import { useImport, type Import } from './use-import.ts'
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
