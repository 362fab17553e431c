import { memo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { EmojiGlyph } from './CustomEmoji.tsx'
import { withTone, type Emoji, type Tone } from './emoji-list.ts'
import styles from './EmojiPicker.module.css'

/** Fits the width of the picker. */
const COLUMNS = 8
const PAGE_ROWS = 5

type Props = {
  readonly id: string
  readonly label: string
  readonly emoji: readonly Emoji[]
  readonly tone: Tone
  readonly busy: boolean
  readonly onPick: (emoji: Emoji) => void
  /** A second group below, with its own heading. */
  readonly more?: { readonly label: string; readonly emoji: readonly Emoji[] }
  /** Text for an empty grid. */
  readonly children: ReactNode
}

/** Emoji in rows of eight: one tab stop, arrows move, Enter or a click picks. */
export function EmojiGrid({ id, label, emoji, more, tone, busy, onPick, children }: Props) {
  const grid = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ emoji, at: 0 })
  const at = place.emoji === emoji ? place.at : 0
  const first = placesOf(emoji)
  const all = more === undefined ? first : [...first, ...placesOf(more.emoji)]

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = nextIndex(event.key, at, all.length)
    if (next === undefined) return
    event.preventDefault()
    const held = all.findLastIndex((one, index) => one !== undefined && index <= next)
    setPlace({ emoji, at: held })
    grid.current?.querySelector<HTMLElement>(`[data-at="${held}"]`)?.focus()
  }

  const rowsIn = (from: number, to: number) =>
    Array.from({ length: (to - from) / COLUMNS }, (_, row) => from + row * COLUMNS).map((start) => (
      <div key={start} role="row" className={styles['row']}>
        {all.slice(start, start + COLUMNS).map((one, column) => {
          const index = start + column
          return one === undefined ? null : (
            <Cell key={one.unicode} at={index} emoji={one} tone={tone} active={index === at} onPick={onPick} />
          )
        })}
      </div>
    ))
  return (
    <div className={styles['scroll']}>
      {emoji.length === 0 ? <p className={styles['empty']}>{children}</p> : null}
      <div ref={grid} id={id} role="grid" tabIndex={-1} aria-label={label} aria-busy={busy} onKeyDown={onKeyDown}>
        {rowsIn(0, first.length)}
        {more === undefined ? null : (
          <div role="rowgroup" aria-label={more.label}>
            <div className={styles['heading']} aria-hidden="true">
              {more.label}
            </div>
            {rowsIn(first.length, all.length)}
          </div>
        )}
      </div>
    </div>
  )
}

/** Full rows, padded with empty cells, so that arrows stay in their column. */
const placesOf = (emoji: readonly Emoji[]): readonly (Emoji | undefined)[] =>
  Array.from({ length: Math.ceil(emoji.length / COLUMNS) * COLUMNS }, (_, at) => emoji[at])

type CellProps = {
  readonly at: number
  readonly emoji: Emoji
  readonly tone: Tone
  readonly active: boolean
  readonly onPick: (emoji: Emoji) => void
}

/** Memoized: up to 390 cells are rendered, and only two change when the focus moves. */
const Cell = memo(function Cell({ at, emoji, tone, active, onPick }: CellProps) {
  const name = emoji.names[0]
  return (
    <div role="gridcell">
      <button
        type="button"
        className={styles['cell']}
        data-at={at}
        tabIndex={active ? 0 : -1}
        aria-label={emoji.label}
        title={name === undefined ? emoji.label : `${emoji.label} :${name}:`}
        onClick={() => onPick(emoji)}
      >
        <EmojiGlyph text={withTone(emoji, tone)} />
      </button>
    </div>
  )
})

/** The index that a key moves to in the grid; `undefined` for other keys. */
export function nextIndex(key: string, at: number, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: COLUMNS,
    ArrowUp: -COLUMNS,
    PageDown: COLUMNS * PAGE_ROWS,
    PageUp: -COLUMNS * PAGE_ROWS,
  }
  if (count === 0) return undefined
  if (key === 'Home') return at - (at % COLUMNS)
  if (key === 'End') return Math.min(count - 1, at - (at % COLUMNS) + COLUMNS - 1)
  const step = steps[key]
  if (step === undefined) return undefined
  const next = at + step
  if (next >= 0 && next < count) return next
  // Page keys, and steps into the short last row, stop at the edge; ArrowUp in the first row does nothing.
  return Math.abs(step) === COLUMNS && next < 0 ? at : Math.max(0, Math.min(count - 1, next))
}
