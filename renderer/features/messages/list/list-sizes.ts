import { perWindow } from '../../../store/objects.ts'
import type { Row } from '../model/rows.ts'

type Kind = Row['kind'] | 'continued'
export type RowHeights = Readonly<Record<Kind, number>>

/** Until rows of a kind were laid out in this window. */
const FIRST: RowHeights = {
  day: 34,
  unread: 30,
  gap: 44,
  system: 28,
  lost: 28,
  cleared: 34,
  deleted: 34,
  message: 66,
  continued: 30,
}

/** What stands above and below a list in the window, at the least. */
const AROUND_PX = 150
/** So many rows say what others are like. */
const ENOUGH_ROWS = 10
/** A row too many is mounted rather than one too few, for which the list would have to be rendered again. */
const CAREFUL = 0.8
/** A picture says nothing about other rows. */
const TALLEST_PX = 160

export const kindOf = (row: Row): Kind => (row.kind === 'message' && row.continued ? 'continued' : row.kind)

/**
 * What a new list of this window expects before it is laid out: how tall it is, and how tall its rows are. All lengths are in
 * pixels. An error moves nothing, but mounts rows that are not in view, or renders the list twice.
 */
export class ListSizes {
  #viewHeight: number
  readonly #seen = new Map<Kind, { readonly rows: number; readonly height: number }>()

  /** @param windowHeight height of the window */
  constructor(windowHeight: number) {
    this.#viewHeight = Math.max(AROUND_PX, windowHeight - AROUND_PX)
  }

  get viewHeight(): number {
    return this.#viewHeight
  }

  /** Heights by kind; those of a list stay as they were when it was created. */
  heights(): RowHeights {
    const heights: Record<Kind, number> = { ...FIRST }
    for (const [kind, { rows, height }] of this.#seen) {
      if (rows >= ENOUGH_ROWS) heights[kind] = (CAREFUL * height) / rows
    }
    return heights
  }

  noteView(height: number): void {
    if (height > 0) this.#viewHeight = height
  }

  noteRow(row: Row, height: number): void {
    const kind = kindOf(row)
    const seen = this.#seen.get(kind) ?? { rows: 0, height: 0 }
    this.#seen.set(kind, { rows: seen.rows + 1, height: seen.height + Math.min(height, TALLEST_PX) })
  }
}

export const LIST_SIZES = perWindow(() => new ListSizes(window.innerHeight))
