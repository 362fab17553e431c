import { useEffect, useRef, useState } from 'react'
import { nanoid } from '@reduxjs/toolkit'
import type { ExportPlan, ExportProgress, ExportSpan, SavedExport } from '#shared/domain/export.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { daysFrom, fieldsOf, momentOf } from '../../../lib/time/moments.ts'
import { useCommand } from '../../../store/commands.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { noticeRaised } from '../../../store/window/notices.ts'
import { askExportPlan, exportMessages, type ExportInput } from './commands.ts'

export const PERIODS = ['all', 'month', 'dates'] as const
export type PeriodChoice = (typeof PERIODS)[number]

const DAYS = 30

type PeriodFault = 'noFirst' | 'noLast' | 'order'

/** The period: days of this device, both included. `span` is absent while it is incomplete. */
export function usePeriod() {
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
export function usePlan(cid: Cid | undefined, span: ExportSpan | undefined): ExportPlan | undefined {
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

export type ExportState =
  | { readonly step: 'idle' }
  | { readonly step: 'stopped' }
  | { readonly step: 'working'; readonly progress?: ExportProgress }
  | { readonly step: 'saved'; readonly saved: SavedExport }

type Wanted = Omit<ExportInput, 'span'>

/** Runs an export. It goes on without the dialog: its end is then a notice. */
export function useExport(wanted: () => Wanted, period: ReturnType<typeof usePeriod>) {
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
