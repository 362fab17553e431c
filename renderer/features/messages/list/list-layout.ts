import type { WindowKey } from '#shared/domain/changes.ts'
import { perWindow } from '../../../store/objects.ts'
import type { Row } from '../model/rows.ts'
import { assert } from '#shared/lib/app-error.ts'
import { isSame } from '#shared/lib/same.ts'
import { sum, type Anchor, type LaidOut, type Span } from '../model/span.ts'

type Kind = Row['kind'] | 'continued'
type RowHeights = Readonly<Record<Kind, number>>

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
/** So many lists, those left last, are remembered as they were left. */
const KNOWN_LISTS = 30

/** A list as it was left: how tall each of its rows was, by key, and the key of the row below the sticky day. */
export type LeftList = { readonly heights: ReadonlyMap<string, number>; readonly head: string | undefined }

const kindOf = (row: Row): Kind => (row.kind === 'message' && row.continued ? 'continued' : row.kind)

/**
 * What a list of this window expects before it is laid out: how tall it is, and how tall its rows are, each of them if it
 * was shown before. All lengths are in pixels. An error moves nothing, but mounts rows that are not in view, or renders the
 * list twice.
 */
export class ListSizes {
  #viewHeight: number
  readonly #seen = new Map<Kind, { readonly rows: number; readonly height: number }>()
  /** Oldest first. */
  readonly #known = new Map<WindowKey, LeftList>()

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

  /** How this list was left; undefined if it was not shown before, or long ago. */
  leftOf(list: WindowKey): LeftList | undefined {
    return this.#known.get(list)
  }

  /** A list is no longer shown. */
  noteLeft(list: WindowKey, left: LeftList): void {
    this.#known.delete(list)
    this.#known.set(list, left)
    const [oldest] = this.#known.keys()
    if (oldest !== undefined && this.#known.size > KNOWN_LISTS) this.#known.delete(oldest)
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

/** Width and height of the view, the height of all that is scrolled in it, and that of the rows, which may be less. */
type Sizes = { readonly width: number; readonly height: number; readonly whole: number; readonly rows: number }

type Resized = {
  /** The view is wider or narrower: every row may have another height. */
  readonly isRewrapped: boolean
  /** By how much the view is higher; negative if it is lower. */
  readonly higherBy: number
}

/**
 * Measures the rows of one list: positions of the mounted ones, the last known height of each, and the distance of the
 * view from both ends. The scroll position and two data attributes are all it writes. All lengths are in pixels; before a
 * list is attached everything is 0 or empty.
 */
export class ListLayout {
  #scroller: HTMLElement | undefined
  #content: HTMLElement | undefined
  /** By key: those of a list that was shown before start as they were then. */
  readonly #heights: Map<string, number>
  readonly #sizes: ListSizes
  /** Until a row was laid out; an error moves nothing, but may mount a row too many or too few. */
  readonly #expected: RowHeights
  #height = 0
  /** Positions while nothing is laid out anew, and the scroll position they were read with: {@link still}. */
  #laidOut: { readonly rows: readonly LaidOut[]; readonly top: number } | 'unread' | undefined
  /** When the list last stood still: {@link noteSizes}. */
  #sizesBefore: Sizes = { width: 0, height: 0, whole: 0, rows: 0 }

  constructor(sizes: ListSizes, left: LeftList | undefined) {
    this.#sizes = sizes
    this.#heights = new Map(left?.heights)
    this.#expected = sizes.heights()
  }

  /**
   * Attaches to the element that contains the rows, in a scroller with `data-message-list`. Returns how to detach. It
   * measures nothing yet: later changes of the same commit would force a second layout.
   */
  attach(content: HTMLElement, handlers: { readonly onScroll: () => void; readonly onResize: () => void }): () => void {
    const scroller = content.closest<HTMLElement>('[data-message-list]')
    assert(scroller !== null, 'rows are in a scrolling list')
    this.#scroller = scroller
    this.#content = content
    scroller.addEventListener('scroll', handlers.onScroll, { passive: true })
    const observer = new ResizeObserver(handlers.onResize)
    observer.observe(scroller)
    observer.observe(content)
    return () => {
      scroller.removeEventListener('scroll', handlers.onScroll)
      observer.disconnect()
      this.#scroller = undefined
      this.#content = undefined
    }
  }

  get isAttached(): boolean {
    return this.#scroller !== undefined
  }

  /** Height of each row that was laid out, by key. */
  get heights(): ReadonlyMap<string, number> {
    return this.#heights
  }

  /** Last measured value, so that reading it causes no layout. */
  get viewHeight(): number {
    return this.#height
  }

  /** Remembers the sizes with which the list stands still now. */
  noteSizes(): void {
    this.#sizesBefore = this.#sizesNow()
  }

  /** How the sizes differ from those remembered; undefined if they do not. */
  get resized(): Resized | undefined {
    const before = this.#sizesBefore
    const now = this.#sizesNow()
    const isRewrapped = now.width !== before.width
    if (isSame(now, before)) return undefined
    return { isRewrapped, higherBy: now.height - before.height }
  }

  get top(): number {
    return this.#scroller?.scrollTop ?? 0
  }

  /** Largest possible `top`. */
  get lastTop(): number {
    return this.#scroller === undefined ? 0 : this.#scroller.scrollHeight - this.#scroller.clientHeight
  }

  get fromEnd(): number {
    return this.lastTop - this.top
  }

  /** Height of the content above the rows in the scroller. */
  get lead(): number {
    return this.#content?.offsetTop ?? 0
  }

  /** Returns the resulting scroll position, or undefined if it did not change. */
  scrollTo(top: number): number | undefined {
    const scroller = this.#scroller
    if (scroller === undefined || Math.abs(scroller.scrollTop - top) < 0.5) return undefined
    scroller.scrollTop = top
    return scroller.scrollTop
  }

  measureView(): void {
    if (this.#scroller === undefined) return
    this.#height = this.#scroller.clientHeight
    this.#sizes.noteView(this.#height)
  }

  /** @param rowOf the row with a key */
  measureRows(rowOf: (key: string) => Row | undefined): void {
    for (const { key, top, bottom } of this.laidOut()) {
      const height = bottom - top
      if (height === 0) continue
      const row = this.#heights.has(key) ? undefined : rowOf(key)
      if (row !== undefined) this.#sizes.noteRow(row, height)
      this.#heights.set(key, height)
    }
  }

  /** Measured height, or an estimate. */
  heightOf(row: Row | undefined): number {
    if (row === undefined) return 0
    return this.#heights.get(row.key) ?? this.#expected[kindOf(row)]
  }

  heightsOf(rows: readonly Row[]): number[] {
    return rows.map((row) => this.heightOf(row))
  }

  /** Reads the positions of the rows once for `work`, which only scrolls. */
  still(work: () => void): void {
    this.#laidOut = 'unread'
    try {
      work()
    } finally {
      this.#laidOut = undefined
    }
  }

  /** Mounted rows with their positions relative to the top edge of the view. */
  laidOut(): readonly LaidOut[] {
    if (this.#laidOut === undefined) return this.#read()
    const { top } = this
    if (this.#laidOut === 'unread') this.#laidOut = { rows: this.#read(), top }
    const by = top - this.#laidOut.top
    if (by !== 0) {
      const moved = this.#laidOut.rows.map((row) => ({ ...row, top: row.top - by, bottom: row.bottom - by }))
      this.#laidOut = { rows: moved, top }
    }
    return this.#laidOut.rows
  }

  #read(): LaidOut[] {
    const edge = this.#scroller?.getBoundingClientRect().top ?? 0
    return this.#slots().map((slot) => {
      const { top, bottom } = slot.getBoundingClientRect()
      return { key: slot.getAttribute('data-row') ?? '', top: top - edge, bottom: bottom - edge }
    })
  }

  find(key: string): LaidOut | undefined {
    return this.laidOut().find((row) => row.key === key)
  }

  /** Whether rows, and not a spacer, fill the view; `span` of `count` rows are mounted. */
  isCovered(span: Span, count: number): boolean {
    const rows = this.laidOut()
    const first = rows[0]
    const last = rows.at(-1)
    if (first === undefined || last === undefined || this.#height === 0) return true
    const above = span.start === 0 || first.top <= 0
    const below = span.end >= count || last.bottom >= this.#height
    return above && below
  }

  /** The row at the top edge by estimated heights, for a view that shows only a spacer. */
  rowAtTop(rows: readonly Row[]): Anchor | undefined {
    const top = this.top - this.lead
    let edge = 0
    for (const row of rows) {
      const height = this.heightOf(row)
      if (edge + height > top && row.kind !== 'day') return { key: row.key, offset: edge - top }
      edge += height
    }
    return undefined
  }

  /** Relative positions of rows, from 0 to 1; estimated for rows without layout. Empty if all rows fit the view. */
  sharesOf(indexes: readonly number[], rows: readonly Row[]): readonly number[] {
    const heights = this.heightsOf(rows)
    const whole = sum(heights, 0, heights.length)
    return whole <= this.#height ? [] : indexes.map((index) => sum(heights, 0, index) / whole)
  }

  /** Highlights one row and no other. Returns whether it is mounted. */
  tint(key: string | undefined): boolean {
    if (key === undefined) return false
    const slots = this.#slots()
    const slot = slots.find((candidate) => candidate.dataset['row'] === key)
    if (slot === undefined) return false
    for (const other of slots) delete other.dataset['target']
    slot.dataset['target'] = '1'
    return true
  }

  /** `data-settled` of the list: the newest row, or the one it opened at, is laid out in view. */
  markSettled(settled: boolean): void {
    if (this.#scroller === undefined || settled === this.#scroller.hasAttribute('data-settled')) return
    if (settled) this.#scroller.setAttribute('data-settled', '1')
    else this.#scroller.removeAttribute('data-settled')
  }

  #sizesNow(): Sizes {
    const { clientWidth: width = 0, clientHeight: height = 0, scrollHeight: whole = 0 } = this.#scroller ?? {}
    return { width, height, whole, rows: this.#content?.offsetHeight ?? 0 }
  }

  #slots(): HTMLElement[] {
    return [...(this.#content?.querySelectorAll<HTMLElement>(':scope > [data-row]') ?? [])]
  }
}
