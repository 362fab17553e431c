import {
  memo,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { cx } from '../../lib/cx.ts'
import { useBreakpoint } from '../../lib/page/environment.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { useVirtualRows } from '../../lib/page/use-virtual-rows.ts'
import { Icon } from '../Icon/Icon.tsx'
import styles from './Table.module.css'

export type TableColumn<Row> = {
  readonly id: string
  readonly title: string
  /** CSS width of a grid column, such as `minmax(160px, 2fr)`. */
  readonly width: string
  readonly sortable?: boolean
  /** Left out first where the window is narrow: 0 stays longest. */
  readonly priority?: 0 | 1 | 2
  readonly render: (row: Row) => ReactNode
}

export type TableSort = { readonly column: string; readonly direction: 1 | -1 }

type Selection = {
  readonly ids: ReadonlySet<string>
  /** Name of a row's checkbox. */
  readonly labelOf: (id: string) => string
  readonly allLabel: string
  readonly onChange: (ids: ReadonlySet<string>) => void
}

type Props<Row> = {
  /** Accessible name of the table. */
  readonly label: string
  readonly columns: readonly TableColumn<Row>[]
  readonly rows: readonly Row[]
  readonly idOf: (row: Row) => string
  /** Height of each row in pixels at the normal text size. */
  readonly rowPx?: number
  readonly sort?: TableSort
  readonly onSort?: (sort: TableSort) => void
  readonly selection?: Selection
  /** The row whose details are shown. */
  readonly openId?: string
  /** The row that gets the focus as soon as it is loaded. */
  readonly focusFirst?: string
  readonly onOpen?: (row: Row) => void
  /** Called when the last rows come into view. */
  readonly onEnd?: () => void
  /** A single letter pressed on a row. */
  readonly onKey?: (key: string, row: Row) => boolean
}

const ROW_PX = 52
/** More rows are asked for this many before the end. */
const AHEAD = 10
/** The least important columns leave first. */
const PRIORITY = { wide: 2, medium: 1, small: 1, narrow: 0 } as const

/**
 * A long table of rows of one height: only those in view are rendered. Arrows move by row, Enter opens, Space selects, Home
 * and End go to the ends.
 */
export function Table<Row>({ rows, idOf, rowPx = ROW_PX, selection, sort, onSort, ...more }: Props<Row>) {
  const { label, openId, focusFirst, onOpen, onEnd, onKey } = more
  const most = PRIORITY[useBreakpoint()]
  const { columns: all } = more
  const columns = useMemo(() => all.filter(({ priority = 0 }) => priority <= most), [all, most])
  const ids = useMemo(() => rows.map(idOf), [rows, idOf])
  const heights = useMemo(() => ids.map(() => rowPx), [ids, rowPx])
  const at = useCallback((id: string) => ids.indexOf(id), [ids])
  const { attach, total, shown, styleOf, reveal: revealRow } = useVirtualRows({ heights })
  const reveal = useCallback((id: string) => revealRow(at(id)), [revealRow, at])
  const roving = useRoving({ ids, initialId: openId, pageSize: 10, reveal })
  const { ref, onKeyDown, onFocus } = roving.containerProps
  useFocusFirst(focusFirst, ids, roving.focus)
  const template = columns.map(({ width }) => width).join(' ')
  const grid = { '--columns': selection === undefined ? template : `30px ${template}` } as CSSProperties
  const isAtEnd = (shown.at(-1) ?? 0) >= rows.length - AHEAD
  useEffect(() => {
    if (isAtEnd && rows.length > 0) onEnd?.()
  }, [isAtEnd, rows.length, onEnd])

  const pressed = (event: KeyboardEvent, row: Row): void => {
    if (event.target !== event.currentTarget || event.altKey || event.metaKey) return
    if (selection !== undefined && event.ctrlKey && event.code === 'KeyA') selection.onChange(new Set(ids))
    else if (event.ctrlKey) return
    else if (event.key === 'Enter' && onOpen !== undefined) onOpen(row)
    else if (event.key === ' ' && selection !== undefined) selection.onChange(toggled(selection.ids, idOf(row)))
    else if (event.key === 'Escape' && selection !== undefined && selection.ids.size > 0) selection.onChange(new Set())
    else if (onKey?.(event.key, row) !== true) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div role="table" aria-label={label} aria-rowcount={rows.length + 1} className={styles['table']} style={grid}>
      <div role="rowgroup" className={styles['head']}>
        <div role="row" aria-rowindex={1} className={styles['row']}>
          {selection === undefined ? null : <SelectAll ids={ids} selection={selection} />}
          {columns.map((column) => (
            <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles['scroll']} ref={attach} data-region="messages">
        <div
          role="presentation"
          className={styles['rows']}
          style={{ height: total }}
          ref={(element) => {
            ref.current = element
          }}
          onKeyDown={onKeyDown}
          onFocus={onFocus}
        >
          {shown.map((index) => {
            const row = rows[index]
            if (row === undefined) return null
            const id = idOf(row)
            const isOn = openId === id || selection?.ids.has(id) === true
            return (
              <div
                key={id}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={selection === undefined ? undefined : selection.ids.has(id)}
                aria-current={openId === id ? 'true' : undefined}
                className={cx(styles['row'], styles['body'], isOn && styles['on'])}
                style={styleOf(index)}
                {...roving.itemProps(id)}
                onClick={onOpen === undefined ? undefined : () => onOpen(row)}
                onKeyDown={(event) => pressed(event, row)}
              >
                <Cells id={id} row={row} columns={columns} selection={selection} />
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** Focuses a row once, as soon as it is there. */
function useFocusFirst(wanted: string | undefined, ids: readonly string[], focus: (id: string) => void): void {
  const waiting = useRef(wanted)
  useEffect(() => {
    const { current: id } = waiting
    if (id === undefined || !ids.includes(id)) return
    waiting.current = undefined
    focus(id)
  }, [ids, focus])
}

function SelectAll({ ids, selection }: { readonly ids: readonly string[]; readonly selection: Selection }) {
  const { size } = selection.ids
  return (
    <span role="columnheader">
      <Checkbox
        label={selection.allLabel}
        checked={ids.length > 0 && size >= ids.length ? true : size > 0 ? 'mixed' : false}
        onChange={(on) => selection.onChange(on ? new Set(ids) : new Set())}
      />
    </span>
  )
}

type CellsProps<Row> = {
  readonly id: string
  readonly row: Row
  readonly columns: readonly TableColumn<Row>[]
  readonly selection: Selection | undefined
}

/** While a list is scrolled, rows that stay in view are not rendered again. */
const Cells = memo(RowCells) as typeof RowCells

function RowCells<Row>({ id, row, columns, selection }: CellsProps<Row>) {
  return (
    <>
      {selection === undefined ? null : (
        <span role="cell">
          <Checkbox
            label={selection.labelOf(id)}
            checked={selection.ids.has(id)}
            onChange={() => selection.onChange(toggled(selection.ids, id))}
            tabIndex={-1}
          />
        </span>
      )}
      {columns.map(({ id: name, render }) => (
        <span key={name} role="cell" className={styles['cell']}>
          {render(row)}
        </span>
      ))}
    </>
  )
}

type HeadCellProps<Row> = {
  readonly column: TableColumn<Row>
  readonly sort: TableSort | undefined
  readonly onSort: ((sort: TableSort) => void) | undefined
}

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const { id, title, sortable = false } = column
  const direction = sort?.column === id ? sort.direction : undefined
  const props = {
    role: 'columnheader',
    className: cx(styles['cell'], styles['title']),
  } as const
  if (!sortable || onSort === undefined) return <span {...props}>{title}</span>
  return (
    <span {...props} aria-sort={direction === undefined ? 'none' : direction === 1 ? 'ascending' : 'descending'}>
      <button
        type="button"
        className={styles['sort']}
        onClick={() => onSort({ column: id, direction: direction === 1 ? -1 : 1 })}
      >
        {title}
        {direction === undefined ? null : <Icon name={direction === 1 ? 'arrow-up' : 'arrow-down'} size={13} />}
      </button>
    </span>
  )
}

type CheckboxProps = {
  readonly label: string
  /** `mixed`: some of what it stands for. */
  readonly checked: boolean | 'mixed'
  readonly disabled?: boolean
  readonly tabIndex?: number
  readonly onChange: (on: boolean) => void
}

/** A checkbox without a visible label: what it is for is in its row. */
export function Checkbox({ label, checked, disabled, tabIndex, onChange }: CheckboxProps) {
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = checked === 'mixed'
  }, [checked])
  return (
    <input
      ref={ref}
      type="checkbox"
      className={styles['check']}
      aria-label={label}
      checked={checked === true}
      disabled={disabled}
      tabIndex={tabIndex}
      onClick={(event) => event.stopPropagation()}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}

/** The set with the value if it was without it, and the other way round. */
export function toggled<Value>(set: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  const next = new Set(set)
  if (!next.delete(value)) next.add(value)
  return next
}
