import { useState, type KeyboardEvent } from 'react'
import type { MessageId, UserId, Cid } from '#shared/lib/brand.ts'
import type { Window } from '#shared/domain/changes.ts'
import { maySendMessage } from '#shared/rules/channels/capabilities.ts'
import { startOfDay, useFormats, useTexts, useErrorText } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useMinute, useDelayed } from '../../../lib/time/clocks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { useAppSelector, useSettledChannel, useConnection } from '../../../store/hooks.ts'
import { useWhen } from '../../../ui/Dates/MessageTime.tsx'
import { Empty, Skeleton } from '../../../ui/View/Empty.tsx'
import { useName } from '../../people/index.ts'
import { LoadingText, SKELETON_DELAY_MS } from '../../connection/index.ts'
import { LostLine, SystemLine } from '../row/MessageBody.tsx'
import { MessageRow } from '../row/MessageRow.tsx'
import type { Row } from '../model/rows.ts'
import { type MountedList, useHeadRow } from './use-list-view.ts'
import type { ListView } from './list-view.ts'
import styles from './MessagePane.module.css'

type Props = {
  readonly list: MountedList
  readonly activeId: string | undefined
  readonly heldId: string | undefined
  readonly readers: ReadonlyMap<string, readonly string[]>
  readonly newestOwn: string | undefined
  /** The viewer's newest message was delivered, if the channel reports it. */
  readonly delivered: boolean
  readonly onGap: (messageId: MessageId) => void
  /** Click on a day divider. */
  readonly onDay: (anchor: Element) => void
}

/** The mounted rows between two spacers. */
export function PaneRows({ list: { attach, before, after, rows }, ...rest }: Props) {
  return (
    <div ref={attach} className={styles['rows']}>
      <div style={{ height: before }} />
      {rows.map((row, at) => (
        <div
          key={row.key}
          data-row={row.key}
          className={cx(styles['slot'], rows[at - 1]?.kind === 'unread' && styles['afterNew'])}
        >
          <RowView row={row} {...rest} />
        </div>
      ))}
      <div style={{ height: after }} />
    </div>
  )
}

function RowView({ row, activeId, heldId, onGap, onDay, ...marks }: Omit<Props, 'list'> & { readonly row: Row }) {
  const { readers, newestOwn, delivered } = marks
  switch (row.kind) {
    case 'day':
      return <DayLine at={row.at} onDay={onDay} />
    case 'cleared':
      return <ClearedLine at={row.at} by={row.by} />
    case 'deleted':
      return <DeletedMessages ids={row.ids} focusable={activeId === row.ids[0]} />
    case 'unread':
      return <NewLine count={row.count} partial={row.partial} />
    case 'gap':
      return <Gap from={row.from} to={row.to} onLoad={() => onGap(row.beforeId)} />
    case 'lost':
      return <LostLine at={row.at} />
    case 'system':
      return <SystemLine id={row.id} focusable={activeId === row.id} />
    case 'message':
      return (
        <MessageRow
          id={row.id}
          continued={row.continued}
          focusable={activeId === row.id}
          held={heldId === row.id}
          readers={readers.get(row.id)}
          newestOwn={newestOwn === row.id}
          delivered={delivered && newestOwn === row.id}
        />
      )
  }
}

/** Label of a day: today, yesterday, a weekday or a date. Updated at midnight. */
function useDayLabel(at: number): string {
  const formats = useFormats()
  const now = useMinute()
  return formats.day(at, now)
}

/** Opens the menu of other days. Not a tab stop; by keyboard the quick switcher jumps to a day. */
function DayLine({ at, onDay }: { readonly at: number; readonly onDay: (anchor: Element) => void }) {
  const t = useTexts('messages')
  const text = useDayLabel(at)
  return (
    <div className={styles['day']}>
      <span className="sr-only" role="separator" aria-label={text} />
      <button
        type="button"
        tabIndex={-1}
        aria-haspopup="menu"
        aria-label={t('jump.label', { day: text })}
        onClick={(event) => onDay(event.currentTarget)}
      >
        {text}
      </button>
    </div>
  )
}

/** Start of the history after it was cleared. */
function ClearedLine({ at, by }: { readonly at: number; readonly by: UserId | undefined }) {
  const t = useTexts('messages')
  const formats = useFormats()
  const name = useName(by ?? '')
  const date = formats.shortDate(at)
  const text = by === undefined || name === '' ? t('cleared.before', { date }) : t('cleared.by', { date, name })
  return (
    <div className={styles['cleared']} role="separator" aria-label={text}>
      <Icon name="info" size={14} />
      <span>{text}</span>
    </div>
  )
}

function NewLine({ count, partial }: { readonly count: number; readonly partial: boolean }) {
  const t = useTexts('messages')
  const label = t('unread.label', { count })
  return (
    <div
      className={styles['newLine']}
      role="separator"
      aria-label={partial ? `${label}. ${t('unread.partial')}` : label}
    >
      <span>{t('unread.count', { count })}</span>
      {partial ? <span className={styles['newPartial']}>{t('unread.partial')}</span> : null}
    </div>
  )
}

type GapProps = { readonly from: number | undefined; readonly to: number; readonly onLoad: () => void }

/** A gap of missing messages: its period, and a button to load them. */
function Gap({ from, to, onLoad }: GapProps) {
  const t = useTexts('messages')
  const formats = useFormats()
  const text = from !== undefined && startOfDay(from) === startOfDay(to) ? formats.time : formats.dayAndTime
  return (
    <div className={styles['gap']}>
      <span>{t('gap.label')}</span>
      {from === undefined ? null : <span>{t('gap.between', { from: text(from), to: text(to) })}</span>}
      <Button variant="quiet" size="small" onClick={onLoad}>
        {t('gap.load')}
      </Button>
    </div>
  )
}

type StickyDayProps = {
  readonly rows: readonly Row[]
  readonly view: ListView
  readonly onDay: (anchor: Element) => void
}

/** The day of the topmost rows while its divider is scrolled out of view. Hidden from screen readers, because the divider has the text. */
export function StickyDay({ rows, view, onDay }: StickyDayProps) {
  const topKey = useHeadRow(view)
  const index = rows.findIndex((row) => row.key === topKey)
  const top = rows[index]
  if (top === undefined || top.kind === 'day') return null
  const day = rows.slice(0, index).findLast((row) => row.kind === 'day')
  return day === undefined ? null : <StickyDayLabel at={day.at} onDay={onDay} />
}

function StickyDayLabel({ at, onDay }: { readonly at: number; readonly onDay: (anchor: Element) => void }) {
  const text = useDayLabel(at)
  return (
    <div className={styles['stickyDay']} aria-hidden="true">
      <button type="button" tabIndex={-1} onClick={(event) => onDay(event.currentTarget)}>
        {text}
      </button>
    </div>
  )
}

type DeletedMessagesProps = { readonly ids: readonly MessageId[]; readonly focusable: boolean }

/** Several consecutive deleted messages as one line. Expanded, it lists authors and times. */
function DeletedMessages({ ids, focusable }: DeletedMessagesProps) {
  const t = useTexts('messages')
  const [open, setOpen] = useState(false)
  const text = t('gone.count', { count: ids.length })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.target !== event.currentTarget) return
    event.preventDefault()
    event.stopPropagation()
    setOpen(!open)
  }
  return (
    // Focusable and with row keys, like every row of the list.
    <article
      className={styles['deleted']}
      tabIndex={focusable ? 0 : -1}
      data-message-id={ids[0]}
      data-roving-id={ids[0]}
      aria-label={text}
      onKeyDown={onKeyDown}
    >
      <button type="button" className={styles['deletedHead']} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="trash" size={16} />
        {text}
        <Icon name={open ? 'chevron-up' : 'chevron-down'} size={14} />
      </button>
      {open ? (
        <ul className={styles['deletedList']} aria-label={text}>
          {ids.map((id) => (
            <DeletedMessage key={id} id={id} />
          ))}
        </ul>
      ) : null}
    </article>
  )
}

function DeletedMessage({ id }: { readonly id: MessageId }) {
  const t = useTexts('messages')
  const formats = useFormats()
  const message = useAppSelector((state) => state.entities.messages[id])
  const author = useName(message?.userId ?? '')
  const when = useWhen()
  return message === undefined ? null : <li>{t('gone.item', { author, time: when(message, formats.time) })}</li>
}

type PaneStateProps = {
  readonly window: Window | undefined
  readonly refused: string | undefined
  readonly cid: Cid
  readonly thread: boolean
  readonly onRetry: () => void
}

/** Shown without rows: loading, empty or failed. */
export function PaneState({ window, refused, cid, thread, onRetry }: PaneStateProps) {
  const t = useTexts('messages')
  const errorText = useErrorText()
  const { offline } = useConnection()
  const channel = useSettledChannel(cid)
  const isOpen = channel === undefined || (!channel.blocked && maySendMessage(channel))
  const failure = window?.error ?? refused
  // The server has not confirmed yet that the channel is empty; offline, the text below says so.
  const unanswered = window?.unanswered === true && !offline
  const waiting = failure === undefined && (window === undefined || window.loading === 'initial' || unanswered)
  const slow = useDelayed(waiting, SKELETON_DELAY_MS)
  if (failure !== undefined) {
    return (
      <div className={styles['state']}>
        <Empty
          scene={offline ? 'offline' : 'chat'}
          title={t('state.failed')}
          action={<Button onClick={onRetry}>{t('status.retry')}</Button>}
        >
          {errorText({ code: failure })}
        </Empty>
      </div>
    )
  }
  if (waiting) return <Bones slow={slow} onRetry={onRetry} />
  if (thread) return null
  return (
    <div className={styles['state']}>
      <Empty scene={offline ? 'offline' : 'chat'} title={t(offline ? 'state.offline' : 'state.empty')}>
        {offline ? t('state.offlineHint') : isOpen ? t('state.emptyHint') : undefined}
      </Empty>
    </div>
  )
}

const WIDTHS = [
  [38, 92],
  [30, 60],
  [44, 78],
  [26, 48],
  [40, 86],
] as const

/** Skeleton rows in the geometry of real ones; they fade in. */
function Bones({ slow, onRetry }: { readonly slow: boolean; readonly onRetry: () => void }) {
  const t = useTexts('messages')
  return (
    <div className={styles['bones']}>
      {slow ? <LoadingText what={t('state.loading')} onRetry={onRetry} /> : null}
      {WIDTHS.map(([name, text]) => (
        <div key={name} className={styles['bone']}>
          <Skeleton width={36} height={36} arch />
          <div>
            <Skeleton width={`${name / 2}%`} height={11} />
            <Skeleton width={`${text}%`} height={11} />
          </div>
        </div>
      ))}
    </div>
  )
}
