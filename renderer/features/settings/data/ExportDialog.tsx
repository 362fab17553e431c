import { useId, useState, type ReactNode } from 'react'
import {
  EXPORT_FORMATS,
  type ExportFiles,
  type ExportFormat,
  type ExportPlan,
  type ExportProgress,
} from '#shared/domain/export.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useConnection } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { DateField } from '../../../ui/Dates/DateField.tsx'
import { Radios } from '../../../ui/Choice/Radios.tsx'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { channelTitle } from '../../sidebar/index.ts'
import { SettingRow } from '../controls/SettingRow.tsx'
import { cancelExport, showFolder } from './commands.ts'
import { PERIODS, type PeriodChoice, useExport, usePeriod, usePlan, type ExportState } from './use-export.ts'
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
