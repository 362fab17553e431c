import { useId, useState, type ReactNode, useEffect, useRef } from 'react'
import { nanoid } from '@reduxjs/toolkit'
import {
  EXPORT_FORMATS,
  type ExportFiles,
  type ExportFormat,
  type ExportPlan,
  type ExportProgress,
  type ExportSpan,
  type SavedExport,
} from '#shared/domain/export.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useFormats, useTexts, useRemark } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useConnection } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { DateField } from '../../../ui/Dates/DateField.tsx'
import { Segments, Radios, Select } from '../../../ui/Choice/Choice.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { useMinute } from '../../../lib/time/clocks.ts'
import { daysFrom, fieldsOf, momentOf } from '../../../lib/time/moments.ts'
import { useCommand } from '../../../store/commands.ts'
import { noticeRaised } from '../../../store/window/notices.ts'
import { channelTitle } from '../../sidebar/index.ts'
import { SettingRow } from '../controls/SettingRow.tsx'
import { cancelExport, showFolder, askExportPlan, exportMessages, type ExportInput } from './commands.ts'
import styles from './ExportDialog.module.css'

/** Exports the messages of a channel, or all, to a file, and shows where it was saved. */
export function ExportDialog({ cid }: { readonly cid?: Cid }) {
  const t = useTexts('data')
  const dispatch = useAppDispatch()
  const name = useAppSelector((state) => (cid === undefined ? undefined : channelTitle(state, cid)))
  const [format, setFormat] = useState<ExportFormat>('html')
  const [chosenFiles, setFiles] = useState<ExportFiles>('none')
  const [wantsOlder, setWantsOlder] = useState(false)
  const period = usePeriod()
  const plan = usePlan(cid, period.span)
  const connection = useConnection()
  const isOffline = connection.offline || connection.state !== 'healthy'
  // Plain text has no place for a file.
  const files = format === 'text' ? 'none' : chosenFiles
  const older = wantsOlder && !isOffline && plan?.missingBefore !== undefined
  const exporting = useExport(() => ({ cid, format, files, older }), period)
  const { state } = exporting
  const close = (): void => void dispatch(dialogClosed())
  const isWorking = state.step === 'working'
  return (
    <Dialog
      title={name === undefined ? t('export') : t('exportOf', { name })}
      width={560}
      onClose={close}
      onSubmit={exporting.start}
      actions={
        <>
          {isWorking ? (
            <Button onClick={() => void dispatch(cancelExport())}>{t('stop')}</Button>
          ) : (
            <Button onClick={close}>{t(state.step === 'saved' ? 'close' : 'cancel')}</Button>
          )}
          <Button variant="primary" type="submit" disabled={isWorking}>
            {t('start')}
          </Button>
        </>
      }
    >
      {cid === undefined ? <p>{t('exportHint')}</p> : null}
      <SettingRow title={t('format')} hint={t(`formatHints.${format}`)}>
        <Select
          label={t('format')}
          value={format}
          onChange={setFormat}
          choices={EXPORT_FORMATS.map((value) => ({ value, label: t(`formats.${value}`) }))}
        />
      </SettingRow>
      <Period period={period} />
      {period.span === undefined ? null : (
        <Contents plan={plan} isOffline={isOffline} wantsOlder={wantsOlder} onOlder={setWantsOlder} />
      )}
      {format === 'text' ? null : <Files value={files} plan={plan} onChange={setFiles} />}
      <div className={styles['state']}>
        <div role="status">
          <State state={state} />
        </div>
        <Refusal text={exporting.fault} />
        {exporting.isOtherRunning ? (
          <Button onClick={() => void dispatch(cancelExport())}>{t('stopOther')}</Button>
        ) : null}
        {state.step === 'saved' ? (
          <Button onClick={() => void dispatch(showFolder('exported'))}>{t('show')}</Button>
        ) : null}
      </div>
    </Dialog>
  )
}

function Period({ period }: { readonly period: ReturnType<typeof usePeriod> }) {
  const t = useTexts('data')
  const { choice, first, last, today } = period
  return (
    <>
      <SettingRow title={t('period')}>
        <Segments<PeriodChoice>
          label={t('period')}
          value={choice}
          onChange={period.setChoice}
          choices={PERIODS.map((value) => ({ value, label: t(`periods.${value}`) }))}
        />
      </SettingRow>
      {choice === 'dates' ? (
        <div className={styles['days']}>
          <DateField
            label={t('first')}
            value={first}
            max={today}
            error={period.faultOf('first')}
            onChange={period.setFirst}
          />
          <DateField
            label={t('last')}
            value={last}
            max={today}
            error={period.faultOf('last')}
            onChange={period.setLast}
          />
        </div>
      ) : null}
    </>
  )
}

type ContentsProps = {
  readonly plan: ExportPlan | undefined
  readonly isOffline: boolean
  readonly wantsOlder: boolean
  readonly onOlder: (on: boolean) => void
}

/** What is on this device, and what can be loaded. */
function Contents({ plan, isOffline, wantsOlder, onOlder }: ContentsProps) {
  const t = useTexts('data')
  const formats = useFormats()
  const id = useId()
  const before = plan?.missingBefore
  const date = before === undefined ? '' : formats.numericDate(before)
  return (
    <>
      <SettingRow
        title={t('contents')}
        hint={plan === undefined ? t('counting') : t('counted', { count: plan.messages })}
      />
      {before === undefined ? null : (
        <SettingRow title={t('older')} id={id} hint={t(isOffline ? 'missingOffline' : 'missing', { date })}>
          <Switch
            labelledBy={id}
            describedBy={`${id}-hint`}
            on={wantsOlder && !isOffline}
            disabled={isOffline}
            onChange={onOlder}
          />
        </SettingRow>
      )}
    </>
  )
}

type FilesProps = {
  readonly value: ExportFiles
  readonly plan: ExportPlan | undefined
  readonly onChange: (files: ExportFiles) => void
}

function Files({ value, plan, onChange }: FilesProps) {
  const t = useTexts('data')
  const formats = useFormats()
  const { stored, missing } = plan ?? NOTHING
  const choices: { value: ExportFiles; label: string; hint?: string }[] = [
    { value: 'none', label: t('fileChoices.none'), hint: t('fileHints.none') },
    {
      value: 'stored',
      label: t('fileChoices.stored'),
      hint: plan && t('fileHints.stored', { count: stored.count, size: formats.bytes(stored.bytes) }),
    },
  ]
  if (missing.count > 0 || value === 'all')
    choices.push({
      value: 'all',
      label: t('fileChoices.all'),
      hint: plan && t('fileHints.all', { count: missing.count, size: formats.bytes(missing.bytes) }),
    })
  return (
    <div className={styles['group']}>
      <div className={styles['name']}>{t('files')}</div>
      <Radios<ExportFiles> label={t('files')} value={value} choices={choices} onChange={onChange} />
    </div>
  )
}

const NOTHING: Pick<ExportPlan, 'stored' | 'missing'> = {
  stored: { count: 0, bytes: 0 },
  missing: { count: 0, bytes: 0 },
}

function State({ state }: { readonly state: ExportState }): ReactNode {
  const t = useTexts('data')
  if (state.step === 'idle') return null
  if (state.step === 'stopped') return t('stopped')
  if (state.step === 'saved') {
    const { messages, fileName, folderName, files, withoutFiles } = state.saved
    return [
      t('saved', { count: messages, file: fileName, folder: folderName }),
      files === 0 ? '' : t('withFiles', { count: files }),
      withoutFiles === 0 ? '' : t('withoutFiles', { count: withoutFiles }),
    ]
      .filter((text) => text !== '')
      .join(' ')
  }
  const { progress } = state
  return (
    <>
      <p>{progress === undefined ? t('progress.begin') : <Progress progress={progress} />}</p>
      <p>{t('background')}</p>
    </>
  )
}

function Progress({ progress: { step, done, total = 0 } }: { readonly progress: ExportProgress }) {
  const t = useTexts('data')
  return step === 'messages' ? t('progress.messages', { done, total }) : t(`progress.${step}`, { done })
}

const PERIODS = ['all', 'month', 'dates'] as const
type PeriodChoice = (typeof PERIODS)[number]

const DAYS = 30

type PeriodFault = 'noFirst' | 'noLast' | 'order'

/** The period: days of this device, both included. `span` is absent while it is incomplete. */
function usePeriod() {
  const t = useTexts('data')
  const today = fieldsOf(useMinute()).date
  const [choice, setChoice] = useState<PeriodChoice>('all')
  const [first, setFirst] = useState('')
  const [last, setLast] = useState(today)
  const [isChecked, setIsChecked] = useState(false)
  const from = choice === 'month' ? daysFrom(today, 1 - DAYS) : first
  const fault = choice === 'dates' ? faultIn(first, last) : undefined
  const span = spanOf(choice, from, last, fault)
  return {
    choice,
    first,
    last,
    today,
    span,
    setChoice,
    setFirst,
    setLast,
    /** Returns whether it is complete; from then on its fields say what is missing. */
    check(): boolean {
      setIsChecked(true)
      return fault === undefined
    },
    faultOf: (field: 'first' | 'last'): string | undefined =>
      isChecked && fault !== undefined && FIELDS[fault] === field ? t(`periodFaults.${fault}`) : undefined,
  }
}

const FIELDS: Readonly<Record<PeriodFault, 'first' | 'last'>> = { noFirst: 'first', noLast: 'last', order: 'last' }

function faultIn(first: string, last: string): PeriodFault | undefined {
  if (first === '') return 'noFirst'
  if (last === '') return 'noLast'
  return first > last ? 'order' : undefined
}

function spanOf(
  choice: PeriodChoice,
  first: string,
  last: string,
  fault: PeriodFault | undefined,
): ExportSpan | undefined {
  if (choice === 'all') return {}
  if (fault !== undefined) return undefined
  const from = momentOf(first, '00:00')
  return choice === 'month' ? { from } : { from, until: momentOf(daysFrom(last, 1), '00:00') }
}

/** What the export would have in it; absent while it is counted. */
function usePlan(cid: Cid | undefined, span: ExportSpan | undefined): ExportPlan | undefined {
  const dispatch = useAppDispatch()
  const [found, setFound] = useState<{ readonly key: string; readonly plan: ExportPlan }>()
  const key = span === undefined ? undefined : JSON.stringify([cid, span.from, span.until])
  useEffect(() => {
    if (key === undefined) return undefined
    let isWanted = true
    const [, from, until] = JSON.parse(key) as [unknown, number | null, number | null]
    const asked = { from: from ?? undefined, until: until ?? undefined }
    const ask = async (): Promise<void> => {
      const answer = await dispatch(askExportPlan({ cid, span: asked }))
      if (isWanted && answer.ok) setFound({ key, plan: answer.value })
    }
    void ask()
    return () => {
      isWanted = false
    }
  }, [dispatch, cid, key])
  return found?.key === key ? found?.plan : undefined
}

type ExportState =
  | { readonly step: 'idle' }
  | { readonly step: 'stopped' }
  | { readonly step: 'working'; readonly progress?: ExportProgress }
  | { readonly step: 'saved'; readonly saved: SavedExport }

type Wanted = Omit<ExportInput, 'span'>

/** Runs an export. It goes on without the dialog: its end is then a notice. */
function useExport(wanted: () => Wanted, period: ReturnType<typeof usePeriod>) {
  const dispatch = useAppDispatch()
  const [state, setState] = useState<ExportState>({ step: 'idle' })
  const [isOtherRunning, setIsOtherRunning] = useState(false)
  const formMessage = useRemark()
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  useCommand('exportProgressed', (progress) => setState({ step: 'working', progress }), state.step === 'working')
  const run = async (input: ExportInput): Promise<void> => {
    setState({ step: 'working' })
    setIsOtherRunning(false)
    formMessage.clear()
    const answer = await dispatch(exportMessages(input))
    if (!isOpen.current) {
      if (!answer.ok) dispatch(raised({ ...answer.error, severity: 'error' }))
      else if (answer.value.saved !== undefined) dispatch(raised(savedNotice(answer.value.saved)))
      return
    }
    if (!answer.ok) {
      setState({ step: 'idle' })
      setIsOtherRunning(answer.error.code === 'data/exporting')
      return formMessage.refuse(answer.error)
    }
    const { saved } = answer.value
    setState(saved === undefined ? { step: 'stopped' } : { step: 'saved', saved })
  }
  return {
    state,
    fault: formMessage.text,
    isOtherRunning,
    start: (): void => {
      if (period.check() && period.span !== undefined) void run({ ...wanted(), span: period.span })
    },
  }
}

const savedNotice = ({ fileName, folderName }: SavedExport) =>
  ({
    code: 'data/exported',
    params: { file: fileName, folder: folderName },
    severity: 'success',
    showsExported: true,
    lasting: true,
  }) as const

const raised = (notice: Omit<Parameters<typeof noticeRaised>[0], 'id' | 'type' | 'createdAt'>) =>
  noticeRaised({ ...notice, id: `local-${nanoid()}`, type: 'data:exported', createdAt: Date.now() })
