import {
  useEffect,
  useImperativeHandle,
  useMemo,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useCallback,
} from 'react'
import type { PendingDecision, ReviewItem, FiledReport } from '#shared/domain/manage/review.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { ok } from '#shared/lib/app-error.ts'
import { useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useVirtualRows } from '../../../lib/page/use-virtual-rows.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { IconButton } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Keys } from '../../../ui/Keys/Keys.tsx'
import { Tag } from '../../../ui/Mark/Pill.tsx'
import { Table, type TableColumn, toggled } from '../../../ui/Table/Table.tsx'
import { Portrait } from '../../people/index.ts'
import { splitReason, isCaught, useWords, useRefusedText, type ReviewFilters } from './words.ts'
import { loadReports, openItem } from './commands.ts'
import styles from './Review.module.css'
import { Listed } from '../Page.tsx'
import { usePagesOf } from '../loading.ts'
import { useTopic } from '../state.ts'

export type ListHandle = { readonly focus: (id: string) => void }

type Props = {
  readonly ref: Ref<ListHandle>
  readonly rows: readonly ReviewItem[]
  readonly openId: string | undefined
  readonly selected: ReadonlySet<string>
  readonly pending: ReadonlyMap<string, PendingDecision>
  readonly decided: boolean
  readonly onOpen: (id: string) => void
  /** In a single column: shows the open item. */
  readonly onRead: () => void
  readonly onSelect: (ids: ReadonlySet<string>) => void
  readonly onUndo: (decision: PendingDecision) => void
  /** Called when the last rows come into view. */
  readonly onEnd: () => void
}

/** Rows of one and of two lines of text, in pixels at the normal text size. */
const ONE_LINE_PX = 77
const TWO_LINES_PX = 95
/** A tag is higher than a line. */
const TAG_PX = 6
/** What was decided and by whom takes a line of its own, above why the item is here. */
const DECIDED_PX = 24
/** Texts longer than this, or with a second line, take two lines. */
const LINE_LENGTH = 34
/** More rows are asked for this many before the end. */
const AHEAD = 10

/** The items, newest first. A row that has the focus is the open one. */
export function QueueList(props: Props) {
  const { ref, rows, openId, selected, pending, onOpen, onRead, onSelect, onUndo, onEnd } = props
  const t = useTexts('review')
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const heights = useMemo(() => rows.map(heightOf), [rows])
  const at = ids.indexOf(openId ?? '')
  const { attach, total, shown, styleOf, reveal } = useVirtualRows({ heights, mountedIndex: at < 0 ? undefined : at })
  const roving = useRoving({ ids, initialId: openId, pageSize: 8, reveal: (id) => reveal(ids.indexOf(id)) })
  const { focus, itemProps } = roving
  const { ref: containerRef, ...listeners } = roving.containerProps
  useImperativeHandle(ref, () => ({ focus }), [focus])
  const isAtEnd = (shown.at(-1) ?? 0) >= rows.length - AHEAD
  useEffect(() => {
    if (isAtEnd && rows.length > 0) onEnd()
  }, [isAtEnd, rows.length, onEnd])
  const toggle = (id: string): void => onSelect(toggled(selected, id))
  // An option holds no controls of its own: these parts are for the pointer, Space and U do the same.
  const pressed = (event: MouseEvent, item: ReviewItem): void => {
    const part = (event.target as Element).closest<HTMLElement>('[data-part]')?.dataset['part']
    const decision = pending.get(item.id)
    if (part === 'check') return toggle(item.id)
    if (part === 'undo' && decision !== undefined) return onUndo(decision)
    onOpen(item.id)
    onRead()
  }
  const typed = (event: KeyboardEvent, id: string): void => {
    if (event.key !== ' ' || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    toggle(id)
  }
  return (
    <div className={styles['side']}>
      <div className={styles['scroll']} ref={attach}>
        <div
          role="listbox"
          aria-label={t('title')}
          aria-multiselectable="true"
          className={styles['rows']}
          style={{ height: total }}
          ref={(element) => {
            containerRef.current = element
          }}
          {...listeners}
        >
          {shown.map((index) => {
            const item = rows[index]
            if (item === undefined) return null
            const { tabIndex, ...marks } = itemProps(item.id)
            return (
              <div
                key={item.id}
                role="option"
                tabIndex={tabIndex}
                {...marks}
                aria-selected={selected.has(item.id)}
                aria-current={item.id === openId ? 'true' : undefined}
                aria-posinset={index + 1}
                aria-setsize={rows.length}
                className={cx(styles['slot'], selected.size > 0 && styles['selecting'])}
                style={styleOf(index)}
                onFocus={() => onOpen(item.id)}
                onKeyDown={(event) => typed(event, item.id)}
                onClick={(event) => pressed(event, item)}
              >
                <Row
                  item={item}
                  isOpen={item.id === openId}
                  isSelected={selected.has(item.id)}
                  decision={pending.get(item.id)}
                  showsDecision={props.decided || item.status === 'decided'}
                />
              </div>
            )
          })}
        </div>
      </div>
      <KeyHints isSelecting={selected.size > 0} />
    </div>
  )
}

/** The keys that are of use now, and a way to all of them. */
function KeyHints({ isSelecting }: { readonly isSelecting: boolean }) {
  const t = useTexts('review')
  const dispatch = useAppDispatch()
  const hints = isSelecting
    ? ([
        [['Shift', 'J'], t('keys.extendShort')],
        [['Esc'], t('keys.clearShort')],
      ] as const)
    : ([
        [['J', 'K'], t('keys.nextPrevious')],
        [['X'], t('keys.selectShort')],
      ] as const)
  return (
    <div className={styles['keys']}>
      {hints.map(([keys, text]) => (
        <span key={text} aria-hidden="true">
          <Keys keys={keys} /> {text}
        </span>
      ))}
      <IconButton
        icon="keyboard"
        size="small"
        label={t('keys.all')}
        onClick={() => dispatch(dialogOpened({ kind: 'reviewKeys' }))}
      />
    </div>
  )
}

const heightOf = ({ text, caught, status }: ReviewItem): number =>
  (isLong(text) ? TWO_LINES_PX : ONE_LINE_PX) +
  (caught === undefined ? 0 : TAG_PX) +
  (status === 'decided' ? DECIDED_PX : 0)

const isLong = (text: string): boolean => text.length > LINE_LENGTH || text.includes('\n')

type RowProps = {
  readonly item: ReviewItem
  readonly isOpen: boolean
  readonly isSelected: boolean
  readonly decision: PendingDecision | undefined
  readonly showsDecision: boolean
}

/** Who, when, what was said; below it why it is here, or what was decided. */
function Row({ item, isOpen, isSelected, decision, showsDecision }: RowProps) {
  const t = useTexts('review')
  const words = useWords()
  const faint = decision?.state === 'queued' || (showsDecision && item.status === 'decided')
  return (
    <div className={cx(styles['item'], isOpen && styles['open'], faint && styles['faint'])}>
      <span className={styles['face']} data-part="check">
        <span className={styles['portrait']}>
          {item.authorId === undefined ? (
            <Icon name="user-x" size={20} />
          ) : (
            <Portrait userId={item.authorId} size={32} />
          )}
        </span>
        <span className={cx(styles['tick'], isSelected && styles['ticked'])}>
          {isSelected ? <Icon name="check" size={13} /> : null}
        </span>
      </span>
      <span className={styles['first']}>
        <bdi className="ellipsis">{words.name(item.authorId)}</bdi>
        <time>{words.time(item.createdAt)}</time>
      </span>
      <span className={cx(styles['said'], isLong(item.text) && styles['two'])} dir="auto">
        <Said item={item} />
      </span>
      {decision === undefined && showsDecision && item.status === 'decided' ? (
        <span className={styles['why']}>
          <DecidedTag item={item} />
        </span>
      ) : null}
      <span className={styles['why']}>
        {decision !== undefined ? (
          <Pending decision={decision} />
        ) : (
          <>
            <Icon name={isCaught(item) ? 'filter' : 'flag'} size={14} />
            <bdi className="ellipsis">
              {words.why(item)} · {words.place(item)}
            </bdi>
            {item.caught === undefined ? null : (
              <Tag tone={item.caught === 'blocked' ? 'warning' : 'plain'}>{t(`caught.${item.caught}`)}</Tag>
            )}
          </>
        )}
      </span>
      <span className="sr-only">{t(`selectedState.${isSelected ? 'on' : 'off'}`)}</span>
    </div>
  )
}

function Said({ item: { text, fileCount, state, subject, reports, profile } }: Pick<RowProps, 'item'>) {
  const t = useTexts('review')
  if (text !== '') return text
  if (profile?.changed.name === true) return t('profile.was', { name: cleanName(profile.name) })
  // Of a person, what the first one who reported them wrote.
  if (subject === 'person') return splitReason(reports[0]?.reason ?? '').note
  if (fileCount > 0) return t('files', { count: fileCount })
  return state === 'there' ? '' : t(`state.${state}`)
}

export function DecidedTag({ item }: Pick<RowProps, 'item'>) {
  const t = useTexts('review')
  const words = useWords()
  const last = item.decisions.at(-1)
  const action = last?.action ?? 'other'
  const byId = item.decidedById ?? last?.byId
  return (
    <Tag>{byId === undefined ? t(`decisions.${action}`) : t(`decisions.by.${action}`, { name: words.name(byId) })}</Tag>
  )
}

function Pending({ decision }: { readonly decision: PendingDecision }) {
  const t = useTexts('review')
  const refused = useRefusedText()
  const isRefused = decision.state === 'refused'
  return (
    <span className={cx(styles['pending'], isRefused && styles['refused'])}>
      <Icon name={isRefused ? 'alert-circle' : 'cloud-off'} size={14} />
      <bdi className="ellipsis">{isRefused ? refused(decision) : t(`queued.${decision.action}`)}</bdi>
      <span data-part="undo" className={styles['undo']} aria-hidden="true">
        {t(isRefused ? 'actions.dismiss' : 'actions.undo')}
      </span>
    </span>
  )
}

/** Every report in a row of its own, with what the reporter wrote. */
export function ReportsList({ filters }: { readonly filters: ReviewFilters }) {
  const t = useTexts('review')
  const dispatch = useAppDispatch()
  const query = JSON.stringify(filters)
  const load = useCallback(
    async (offset: number) => {
      const { authorId: _author, ...rest } = JSON.parse(query) as ReviewFilters
      const loaded = await dispatch(loadReports({ ...rest, offset }))
      return loaded.ok ? ok({ rows: loaded.value.reports, more: loaded.value.more }) : loaded
    },
    [dispatch, query],
  )
  const list = usePagesOf(load, query, useTopic('review'))
  const columns = useColumns()
  return (
    <Listed
      list={list}
      empty={
        query === '{}'
          ? { scene: 'done', title: t('empty.reports'), children: t('empty.reportsText') }
          : { scene: 'search', title: t('empty.found') }
      }
    >
      <Table
        label={t('tabs.reports')}
        columns={columns}
        rows={list.rows}
        idOf={idOf}
        onEnd={list.next}
        onOpen={(report) => dispatch(openItem(report))}
      />
    </Listed>
  )
}

const idOf = ({ id }: FiledReport): string => id

function useColumns(): readonly TableColumn<FiledReport>[] {
  const t = useTexts('review')
  const words = useWords()
  const columns: readonly TableColumn<FiledReport>[] = [
    {
      id: 'reporter',
      title: t('list.reporter'),
      width: 'minmax(140px, 1fr)',
      render: ({ byId }) => (
        <span className={styles['cellWho']}>
          {byId === undefined ? null : <Portrait userId={byId} size={24} />}
          <bdi className="ellipsis">{words.name(byId)}</bdi>
        </span>
      ),
    },
    {
      id: 'reason',
      title: t('list.reason'),
      width: 'minmax(120px, 1.4fr)',
      render: (report) => {
        const { note } = splitReason(report.reason ?? '')
        return (
          <bdi title={note === '' ? undefined : note}>
            {words.reasonOf(report)}
            {note === '' ? null : <> {t('reports.note', { note })}</>}
          </bdi>
        )
      },
    },
    {
      id: 'message',
      title: t('list.message'),
      width: 'minmax(160px, 2fr)',
      priority: 1,
      render: ({ authorId, text }) => (
        <bdi>
          {words.name(authorId)}
          {text === '' ? '' : `: ${text}`}
        </bdi>
      ),
    },
    {
      id: 'where',
      title: t('list.where'),
      width: '130px',
      priority: 2,
      render: (report) => (
        <bdi>{words.place({ ...report, subject: report.messageId === undefined ? 'person' : 'message' })}</bdi>
      ),
    },
    { id: 'when', title: t('list.when'), width: '100px', priority: 1, render: ({ at }) => words.time(at) },
    {
      id: 'state',
      title: t('list.state'),
      width: '110px',
      render: ({ isDecided }) => <Tag>{t(isDecided ? 'list.decided' : 'list.waiting')}</Tag>,
    },
  ]
  return columns
}
