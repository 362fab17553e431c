import { useRef, useState } from 'react'
import type { ProblemReport, ReportControl, ReportStep } from '#shared/bridge/problem-report.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useObject } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { saveText } from '../../attachments/index.ts'
import { RECORDING } from './RecordingChip.tsx'
import styles from './Problem.module.css'

const FILE = 'parlor-problem.json'

/** A line of the report: what it says, and the report without it. */
type Line = { readonly id: string; readonly text: string; readonly without: ProblemReport }

/** Everything that is in a problem report, to be read before it is saved. Any line can be removed. */
export function ProblemDialog() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const recording = useObject(RECORDING)
  const [report, setReport] = useState(recording.report)
  const list = useRef<HTMLUListElement>(null)
  const lineTexts = useLineTexts()
  const close = (): void => {
    recording.discard()
    dispatch(dialogClosed())
  }
  if (report === undefined) return null
  const lines = linesOf(report, lineTexts)
  const remove = (line: Line, at: number): void => {
    setReport(line.without)
    announce(t('problem.removed'))
    const buttons = list.current?.querySelectorAll('button')
    ;(buttons?.[at + 1] ?? buttons?.[at - 1])?.focus()
  }
  const content = JSON.stringify(report, undefined, 2)
  return (
    <Dialog
      title={t('problem.review')}
      width={720}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{t('problem.discard')}</Button>
          <Button
            variant="primary"
            icon="download"
            onClick={() => {
              saveText(content, { name: FILE, type: 'application/json' })
              close()
            }}
          >
            {t('problem.save')}
          </Button>
        </>
      }
    >
      <p>{t('problem.reviewText')}</p>
      <p className={styles['setup']}>{lineTexts.setup(report)}</p>
      <ul ref={list} className={styles['lines']} aria-label={t('problem.lines')}>
        {lines.map((line, at) => (
          <li key={line.id}>
            <span>{line.text}</span>
            <IconButton
              icon="x"
              size="small"
              label={t('problem.remove', { line: line.text })}
              onClick={() => remove(line, at)}
            />
          </li>
        ))}
      </ul>
      <details>
        <summary>{t('problem.file')}</summary>
        <pre className={styles['file']} tabIndex={0} dir="ltr" role="group" aria-label={t('problem.file')}>
          {content}
        </pre>
      </details>
    </Dialog>
  )
}

type LineTexts = ReturnType<typeof useLineTexts>

function useLineTexts() {
  const t = useTexts('preferences')
  const { number, list } = useFormats()
  const control = ({ inside, role, name }: ReportControl): string => {
    const what = name === undefined ? role : t('problem.line.control', { role: role ?? '', name })
    const where = inside === undefined ? undefined : `${inside.kind} ${inside.id}`
    return [what, where].filter((part) => part !== undefined && part !== '').join(', ')
  }
  return {
    setup: ({ app, host, language, window }: ProblemReport): string =>
      t('problem.line.setup', { app, host, language, size: `${window.width} × ${window.height}` }),
    end: ({ lists, heading, dialogs }: ProblemReport['end']): string =>
      t('problem.line.end', {
        list: list([
          ...(heading === undefined ? [] : [t('problem.line.heading', { name: heading })]),
          ...lists.map(({ channel }) => channel),
        ]),
        count: dialogs,
      }),
    settings: (settings: ProblemReport['settings']): string =>
      t('problem.line.settings', { list: list(Object.entries(settings).map(([name, value]) => `${name} ${value}`)) }),
    people: (people: ProblemReport['people']): string =>
      t('problem.line.people', { list: list(people.map(({ id, name }) => `${id} ${name}`)) }),
    channel: ({ id, name = '', messages }: ProblemReport['channels'][number]): string =>
      t('problem.line.channel', { channel: `${id} ${name}`.trim(), count: messages.length }),
    step(step: ReportStep): string {
      switch (step.kind) {
        case 'click':
          return t('problem.line.click', { what: control(step.control) })
        case 'type':
          return t(step.text === undefined ? 'problem.line.secret' : 'problem.line.type', {
            what: control(step.control),
            text: step.text ?? '',
          })
        case 'choose':
          return t('problem.line.choose', { what: control(step.control), position: number(step.index + 1) })
        case 'files':
          return t('problem.line.files', { what: control(step.control), count: step.count })
        case 'key':
          return t('problem.line.key', { key: step.key })
        case 'window':
          return t('problem.line.window', { size: `${step.width} × ${step.height}` })
        case 'connection':
          return t('problem.line.connection', { state: t(`advanced.states.${step.state}`) })
        case 'message':
          return t('problem.line.message', { by: step.by, channel: step.channel, text: step.text })
        case 'edited':
          return t('problem.line.edited', { by: step.by, id: step.id, text: step.text })
        case 'deleted':
          return t('problem.line.deleted', { by: step.by, id: step.id })
        case 'changes':
          return t('problem.line.changes', {
            list: list(Object.entries(step.rows).map(([name, count]) => `${name} ${number(count)}`)),
          })
      }
    },
  }
}

function linesOf(report: ProblemReport, texts: LineTexts): Line[] {
  const { settings, people, channels, steps, end } = report
  return [
    ...(Object.keys(settings).length === 0
      ? []
      : [{ id: 'settings', text: texts.settings(settings), without: { ...report, settings: {} } }]),
    ...(people.length === 0 ? [] : [{ id: 'people', text: texts.people(people), without: { ...report, people: [] } }]),
    ...channels.map((channel) => ({
      id: channel.id,
      text: texts.channel(channel),
      without: { ...report, channels: channels.filter((one) => one !== channel) },
    })),
    ...steps.map((step, at) => ({
      id: `step ${step.at} ${at}`,
      text: texts.step(step),
      without: { ...report, steps: steps.filter((one) => one !== step) },
    })),
    ...(end.lists.length === 0 && end.heading === undefined
      ? []
      : [{ id: 'end', text: texts.end(end), without: { ...report, end: { lists: [], dialogs: 0 } } }]),
  ]
}
