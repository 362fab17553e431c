import { useEffect, useState } from 'react'
import { POLL_VIEWS, type ListedPoll, type PollView } from '#shared/domain/poll.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { shownText } from '#shared/lib/clean-text.ts'
import { csvOf } from '#shared/rules/server/csv.ts'
import { useErrorText, useFormats, useTexts } from '../../i18n/index.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector, useAppStore } from '../../store/hooks.ts'
import { dialogClosed, dialogOpened } from '../../store/window/ui.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import { Segments } from '../../ui/Choice/Choice.tsx'
import { Dialog } from '../../ui/Dialog/Dialog.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { saveText } from '../attachments/index.ts'
import { selectName, useName } from '../people/index.ts'
import { channelTitle } from '../sidebar/index.ts'
import { goToPoll, readPolls } from './commands.ts'
import { ResultsDialog } from './ResultsDialog.tsx'
import { useOutcome } from './results.ts'
import styles from './Dialogs.module.css'

/** Polls across channels: those that wait for a vote, open and closed ones with what was decided. */
export function PollRegister() {
  const t = useTexts('polls')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const [view, setView] = useState<PollView>('unvoted')
  const [shown, setShown] = useState<{ readonly view: PollView; readonly rows: readonly ListedPoll[] }>()
  const [failure, setFailure] = useState<ErrorBody>()
  const [asked, setAsked] = useState<ListedPoll>()
  useEffect(() => {
    let live = true
    const load = async (): Promise<void> => {
      const answer = await dispatch(readPolls(view))
      if (!live) return
      setFailure(answer.ok ? undefined : answer.error)
      if (answer.ok) setShown({ view, rows: answer.value })
    }
    void load()
    return () => {
      live = false
    }
  }, [dispatch, view])
  const rows = shown?.view === view ? shown.rows : undefined
  if (asked !== undefined) {
    return <ResultsDialog poll={asked.poll} messageId={asked.messageId} onClose={() => setAsked(undefined)} />
  }
  return (
    <Dialog
      title={t('register.title')}
      width={600}
      onClose={() => dispatch(dialogClosed())}
      actions={rows === undefined || rows.length === 0 ? undefined : <SaveRegister rows={rows} />}
    >
      <div className={styles['register']}>
        <Segments
          label={t('register.view')}
          value={view}
          choices={POLL_VIEWS.map((value) => ({ value, label: t(`register.views.${value}`) }))}
          onChange={setView}
        />
        {failure === undefined ? null : (
          <p className={styles['failure']} role="alert">
            {errorText(failure)}
          </p>
        )}
        {rows?.length === 0 ? <p className={styles['note']}>{t(`register.none.${view}`)}</p> : null}
        <Rows rows={rows ?? []} label={t(`register.views.${view}`)} onResults={setAsked} />
        <p className={styles['note']}>{t('register.here')}</p>
      </div>
    </Dialog>
  )
}

type RowsProps = {
  readonly rows: readonly ListedPoll[]
  readonly label: string
  readonly onResults: (row: ListedPoll) => void
}

function Rows({ rows, label, onResults }: RowsProps) {
  const { containerProps, itemProps } = useRoving({ ids: rows.map(({ messageId }) => messageId) })
  const { ref, ...listeners } = containerProps
  return (
    <ul
      ref={(element) => {
        ref.current = element
      }}
      className={styles['list']}
      aria-label={label}
      {...listeners}
    >
      {rows.map((row) => (
        <Row key={row.messageId} row={row} item={itemProps(row.messageId)} onResults={() => onResults(row)} />
      ))}
    </ul>
  )
}

type RowProps = {
  readonly row: ListedPoll
  readonly item: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly onResults: () => void
}

function Row({ row, item, onResults }: RowProps) {
  const t = useTexts('polls')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const now = useMinute()
  const place = useAppSelector((state) => channelTitle(state, row.cid))
  const by = useName(row.poll.createdBy)
  const outcome = useOutcome()
  const { cid, messageId, poll } = row
  const askMissing = (): void => {
    dispatch(goToPoll(row))
    dispatch(dialogOpened({ kind: 'of-poll', what: 'remind', cid, messageId, pollId: poll.id }))
  }
  return (
    <li className={styles['entry']}>
      <button type="button" {...item} className={styles['row']} onClick={() => dispatch(goToPoll(row))}>
        <Icon name="poll" size={18} />
        <span className={styles['text']}>
          <b dir="auto">{shownText(poll.name)}</b>
          <span className={styles['note']}>
            {t('register.where', { place, name: by, when: formats.listTime(row.createdAt, now) })}
          </span>
          <span className={styles['note']} dir="auto">
            {outcome(poll)}
          </span>
        </span>
        <span className={styles['note']}>{t('votes', { count: poll.voteCount })}</span>
      </button>
      {poll.closed || poll.anonymous ? null : (
        <IconButton icon="users" size="small" label={t('register.missing')} onClick={askMissing} />
      )}
      <IconButton icon="list-ordered" size="small" label={t('results.view')} onClick={onResults} />
    </li>
  )
}

/** Saves what is shown as a spreadsheet table. */
function SaveRegister({ rows }: { readonly rows: readonly ListedPoll[] }) {
  const t = useTexts('polls')
  const store = useAppStore()
  const outcome = useOutcome()
  const save = (): void => {
    const state = store.getState()
    const columns = ['question', 'channel', 'by', 'created', 'state', 'votes', 'result', 'own'] as const
    const lines = rows.map(({ cid, createdAt, poll }) => [
      poll.name,
      channelTitle(state, cid),
      selectName(state, poll.createdBy),
      new Date(createdAt).toISOString(),
      t(`register.states.${poll.closed ? 'closed' : 'open'}`),
      String(poll.voteCount),
      outcome(poll),
      poll.options.flatMap(({ own, text }) => (own ? [text] : [])).join(', '),
    ])
    const head = columns.map((column) => t(`register.columns.${column}`))
    saveText(csvOf([head, ...lines]), { name: t('register.fileName'), type: 'text/csv' })
  }
  return (
    <Button icon="download" onClick={save}>
      {t('results.save')}
    </Button>
  )
}
