import {
  nearestRemaining,
  correction,
  covers,
  END_ZONE_PX,
  FIRST_OVERSCAN_VIEWS,
  OVERSCAN_VIEWS,
  PAGE_AHEAD_VIEWS,
  pickAnchor,
  spanAtRow,
  spanAround,
  sum,
  withRow,
  withViewHeight,
  type Anchor,
  type Span,
} from '../model/span.ts'
import type { WindowKey } from '#shared/domain/changes.ts'
import type { Row } from '../model/rows.ts'
import { ListLayout, type ListSizes } from './list-layout.ts'

/**
 * Scroll position of a list: the distance from the end of the newest page (then the list sticks to the end), or a row
 * and its distance from the top edge.
 */
export type Position = { readonly fromEnd: number } | Anchor

/** New position of the list. */
export type Landing = {
  /** Identifies the landing. */
  readonly visit: number
  readonly position: Position
  /** The row is the target of a jump: it is centered and highlighted for a moment. */
  readonly isTarget?: true
}

export type ListShape = {
  readonly rows: readonly Row[]
  readonly hasOlder: boolean
  readonly hasNewer: boolean
  /** No page is requested while one is loading. */
  readonly busy: boolean
}

/** A render of the list: which rows of a shape are mounted, and the scroll position with them. */
type Plan = {
  readonly shape: ListShape
  readonly indexes: ReadonlyMap<string, number>
  /** The landing that comes with these rows. */
  readonly landing: Landing | undefined
  /** The position when the plan was made. */
  readonly from: Position
  readonly position: Position
  readonly span: Span
  /** Height of the rows that are not mounted, before and after the span. */
  readonly before: number
  readonly after: number
  /** None of the rows that were mounted is in view any more: so many have come at the end. */
  readonly isReplaced: boolean
}

type ListEvents = {
  /** The list must render again: other rows have to be mounted. `now` when the view shows nothing at the moment. */
  readonly onSpan: (now: boolean) => void
  readonly onOlder: () => void
  readonly onNewer: () => void
  readonly onAtEnd: (atEnd: boolean) => void
}

const NO_EVENTS: ListEvents = {
  onSpan: () => undefined,
  onOlder: () => undefined,
  onNewer: () => undefined,
  onAtEnd: () => undefined,
}

export const AT_END: Position = { fromEnd: 0 }

/** Pixels covered by the sticky day at the top edge. */
const STICKY_HEIGHT = 32

const isEnd = (position: Position): position is { readonly fromEnd: number } => 'fromEnd' in position

/**
 * The scrolling of one message list: decides which rows are mounted, and restores the scroll position after every change.
 * It owns the position; {@link ListLayout} measures the rows, and React mounts them. Mounted rows are in normal flow
 * between two spacers, so the browser lays them out, and estimates never move what is in view (ADR 8).
 *
 *   render: plan(shape) -> layout effect: commit(plan), which measures and scrolls -> scroll event: #follow()
 */
export class ListView {
  #position: Position = AT_END
  #shape: ListShape = { rows: [], hasOlder: false, hasNewer: false, busy: true }
  #indexes: ReadonlyMap<string, number> = new Map()
  readonly #sizes: ListSizes
  readonly #list: WindowKey
  readonly #layout: ListLayout
  #writtenTop: number | undefined
  /** `scrollTop` when it was last read; absent while the list is about to be scrolled to another position. */
  #seenTop: number | undefined
  #wasAtEnd: boolean | undefined
  #lastKey: string | undefined
  #span: Span = { start: 0, end: 0 }
  #focusKey: string | undefined
  #flashKey: string | undefined
  /** Number of the last landing. */
  #visit: number | undefined
  /** A row to center once it is laid out. */
  #centreKey: string | undefined
  /** The user has not scrolled since the list was scrolled to a row. */
  #asOpened = false
  /** The user has not scrolled since the last landing. */
  #untouched = true
  /** Animation frame after the first paint of the rows in view, when those outside it are mounted too. */
  #firstFrame: number | undefined
  #painted = false
  #events: ListEvents = NO_EVENTS
  #top: string | undefined
  #head: string | undefined
  readonly #topListeners = new Set<() => void>()

  constructor(sizes: ListSizes, list: WindowKey) {
    const left = sizes.leftOf(list)
    this.#sizes = sizes
    this.#list = list
    this.#layout = new ListLayout(sizes, left)
    // Mostly it is that row again, and the sticky day comes with the first rows instead of after them.
    this.#head = left?.head
  }

  /** Sets the event handlers. */
  listen(events: ListEvents): void {
    this.#events = events
  }

  /** Key of the row at the top edge. It changes while scrolling, so only components that show it should subscribe. */
  readonly topRow = (): string | undefined => this.#top

  /** Key of the row below the sticky day. */
  readonly headRow = (): string | undefined => this.#head

  readonly followTopRow = (listener: () => void): (() => void) => {
    this.#topListeners.add(listener)
    return () => this.#topListeners.delete(listener)
  }

  /** Attaches to the element that contains the rows, in a scroller with `data-message-list`. Returns how to detach. */
  attach(content: HTMLElement): () => void {
    // Most sizes that the browser reports are those that were just laid out here.
    const onResize = (): void => void (this.#layout.resized === undefined || this.#resized())
    const letGo = this.#layout.attach(content, { onScroll: () => this.#follow(), onResize })
    return () => {
      letGo()
      this.#sizes.noteLeft(this.#list, { heights: this.#layout.heights, head: this.#head })
      if (this.#firstFrame !== undefined) cancelAnimationFrame(this.#firstFrame)
      this.#firstFrame = undefined
    }
  }

  /**
   * What to render for a shape: the rows to mount around the current position, or around that of the landing. Changes no
   * state, so that React can repeat or discard a render; {@link commit} applies what was rendered.
   */
  plan(shape: ListShape, landing?: Landing): Plan {
    const { rows } = shape
    const isNew = rows !== this.#shape.rows
    const indexes = isNew ? new Map(rows.map((row, index) => [row.key, index])) : this.#indexes
    const landsWith = landing !== undefined && landing.visit !== this.#visit && rows.length > 0 ? landing : undefined
    const from = this.#position
    const position =
      landsWith === undefined
        ? isNew
          ? this.#remaining(shape, indexes)
          : from
        : this.#placeOf(landsWith, rows, indexes)
    const heights = this.#layout.heightsOf(rows)
    const view = this.#layout.viewHeight || this.#sizes.viewHeight
    const index = isEnd(position) ? -1 : (indexes.get(position.key) ?? -1)
    const around = (overscan: number): Span =>
      isEnd(position) || index < 0
        ? spanAround(heights, sum(heights, 0, heights.length) - view, view, overscan)
        : spanAtRow(heights, index, position.offset, view, overscan)
    const narrow = around(FIRST_OVERSCAN_VIEWS)
    const lastMounted = indexes.get(this.#shape.rows[this.#span.end - 1]?.key ?? '')
    const isReplaced = isNew && isEnd(position) && lastMounted !== undefined && lastMounted < narrow.start
    const mounted = this.#isBlind || (this.#painted && !isReplaced) ? around(OVERSCAN_VIEWS) : narrow
    const span = withRow(mounted, this.#focusKey === undefined ? undefined : indexes.get(this.#focusKey))
    const before = sum(heights, 0, span.start)
    const after = sum(heights, span.end, heights.length)
    return { shape, indexes, landing: landsWith, from, position, span, before, after, isReplaced }
  }

  /** Applies a rendered plan: measures the mounted rows and restores the scroll position, before the next paint. */
  commit(plan: Plan): void {
    // The plan was committed already, or the list was scrolled since: plan again from the current position.
    const isCurrent = plan.from === this.#position && (plan.landing === undefined || plan.landing.visit !== this.#visit)
    const { indexes, landing, position } = isCurrent ? plan : this.plan(plan.shape, plan.landing)
    this.#shape = plan.shape
    this.#indexes = indexes
    this.#span = plan.span
    this.#position = position
    if (landing !== undefined) this.#land(landing)
    if (plan.isReplaced) this.#narrow()
    this.#settle()
  }

  /** Measures the mounted rows and restores the scroll position. */
  #settle(): void {
    if (!this.#layout.isAttached) return
    this.#layout.measureView()
    this.#layout.still(() => {
      this.#layout.measureRows(this.#rowOf)
      this.#centre()
      if (this.#wasScrolled() && !this.#sticksToEnd()) this.#adoptScroll()
      this.#place()
      this.#seenTop = this.#layout.top
      this.#layout.noteSizes()
      if (this.#layout.tint(this.#flashKey)) this.#flashKey = undefined
      this.#report()
    })
    this.#widenLater()
  }

  /** In environments without layout all rows in range are mounted at once. */
  get #isBlind(): boolean {
    return this.#layout.isAttached && this.#layout.viewHeight === 0
  }

  /** As if the list was just opened: rows that would be gone with the next frame again are not mounted. */
  #narrow(): void {
    this.#painted = false
    if (this.#firstFrame !== undefined) cancelAnimationFrame(this.#firstFrame)
    this.#firstFrame = undefined
  }

  /** The first frame is the upcoming paint; the second one follows it. */
  #widenLater(): void {
    if (this.#painted || this.#firstFrame !== undefined || this.#shape.rows.length === 0) return
    this.#firstFrame = requestAnimationFrame(() => {
      this.#firstFrame = requestAnimationFrame(() => {
        this.#firstFrame = undefined
        this.#painted = true
        this.#events.onSpan(false)
      })
    })
  }

  /** The row with focus stays mounted, however far it is out of view. */
  keepMounted(key: string | undefined): void {
    this.#focusKey = key
  }

  /** Scrolls a row into view by the smallest distance. */
  reveal(key: string): void {
    const view = this.#layout.viewHeight
    const row = this.#layout.find(key)
    if (row !== undefined && row.top >= 0 && row.bottom <= view) return
    const height = row === undefined ? this.#layout.heightOf(this.#rowOf(key)) : row.bottom - row.top
    const above = row === undefined ? this.#isAbove(key) : row.top < 0
    this.#position = { key, offset: above ? 0 : Math.max(0, view - height) }
    this.#asOpened = false
    this.#untouched = false
    this.#seenTop = undefined
    this.#events.onSpan(false)
  }

  /** Relative positions of rows in the list, from 0 to 1; estimated for rows without layout. Empty if all rows fit the view. */
  sharesOf(keys: ReadonlySet<string>, rows: readonly Row[]): readonly number[] {
    const indexes = rows.flatMap(({ key }, index) => (keys.has(key) ? [index] : []))
    return this.#layout.sharesOf(indexes, rows)
  }

  /** The user has not scrolled since the last landing. */
  get isUntouched(): boolean {
    return this.#untouched
  }

  /** The end of the newest page is in view. True until the first rows are laid out. */
  get isAtEnd(): boolean {
    return this.#wasAtEnd ?? true
  }

  /** All rows of the last render. */
  get rows(): readonly Row[] {
    return this.#shape.rows
  }

  /** The current position, to return to later. */
  where(): Position {
    return this.#position
  }

  /** Position of a landing; the target of a jump is centered by its estimated height. */
  #placeOf({ position, isTarget }: Landing, rows: readonly Row[], indexes: ReadonlyMap<string, number>): Position {
    if (isTarget !== true || isEnd(position)) return position
    const height = this.#layout.heightOf(rows[indexes.get(position.key) ?? -1])
    return { key: position.key, offset: this.#middleOf(height) }
  }

  #land({ visit, position, isTarget }: Landing): void {
    this.#visit = visit
    this.#untouched = true
    this.#asOpened = !isEnd(position)
    this.#writtenTop = undefined
    this.#seenTop = undefined
    if (isTarget !== true || isEnd(position)) return
    this.#centreKey = position.key
    this.#flashKey = position.key
  }

  /** Centers a row again by its measured height, after it was centered by an estimate. */
  #centre(): void {
    const row = this.#centreKey === undefined ? undefined : this.#layout.find(this.#centreKey)
    this.#centreKey = undefined
    if (row === undefined || isEnd(this.#position) || this.#position.key !== row.key) return
    this.#position = { key: row.key, offset: this.#middleOf(row.bottom - row.top) }
  }

  readonly #middleOf = (height: number): number => Math.max(0, (this.#layout.viewHeight - height) / 2)

  /**
   * The position with changed rows. If its row was removed the nearest remaining one is used: otherwise the view would
   * show a spacer, and pages would be requested until the row was loaded.
   */
  #remaining({ rows, hasNewer }: ListShape, indexes: ReadonlyMap<string, number>): Position {
    const position = this.#position
    const before = [...this.#indexes.keys()]
    // Does not stick to the end of a page that is not the newest.
    const from = isEnd(position) ? (hasNewer ? before.at(-1) : undefined) : position.key
    if (from === undefined || rows.length === 0) return position
    if (!isEnd(position) && indexes.has(from)) return position
    const remaining = nearestRemaining(before, from, new Set(indexes.keys()))
    const middle = rows[Math.floor(rows.length / 2)]
    const key = remaining ?? middle?.key
    if (key === undefined) return position
    return { key, offset: this.#layout.find(key)?.top ?? (isEnd(position) ? this.#middleOf(0) : position.offset) }
  }

  /** The user scrolled: the row in view is the new anchor. Scroll events of this class's own writes are ignored. */
  #follow(): void {
    if (!this.#layout.isAttached) return
    const { top } = this.#layout
    if (this.#writtenTop !== undefined && Math.abs(top - this.#writtenTop) < 1) return
    if (this.#sticksToEnd()) return this.#resized()
    this.#writtenTop = undefined
    this.#seenTop = top
    this.#adoptScroll()
    const heights = this.#layout.heightsOf(this.#shape.rows)
    const offset = top - this.#layout.lead
    if (!covers(this.#span, heights, offset, this.#layout.viewHeight)) this.#events.onSpan(!this.#viewIsCovered())
    this.#report()
  }

  /** A script or screen reader scrolled, and its scroll event is still pending. At the end the browser itself may have scrolled. */
  #wasScrolled(): boolean {
    const { top, fromEnd } = this.#layout
    return this.#seenTop !== undefined && Math.abs(top - this.#seenTop) >= 1 && fromEnd >= 1
  }

  /**
   * The browser moves a view up that gets higher at the end, or whose rows get lower, and rows may have grown since: it is
   * still at the end. Nothing tells that from the user, who hardly scrolls in the very frame that resizes the list; one
   * who scrolls far from the end is believed, unless the sizes explain it.
   */
  #sticksToEnd(): boolean {
    if (!isEnd(this.#position)) return false
    const { resized, fromEnd, top } = this.#layout
    if (resized === undefined) return false
    const movedUp = (this.#seenTop ?? Number.POSITIVE_INFINITY) - top
    return movedUp > -1 && (resized.isRewrapped || fromEnd <= END_ZONE_PX || movedUp <= resized.higherBy)
  }

  /** The scrolled position is the new anchor. */
  #adoptScroll(): void {
    this.#asOpened = false
    this.#untouched = false
    this.#pick()
  }

  #pick(): void {
    const { fromEnd, viewHeight } = this.#layout
    if (fromEnd <= END_ZONE_PX && !this.#shape.hasNewer && this.#span.end === this.#shape.rows.length) {
      this.#position = { fromEnd: Math.max(0, fromEnd) }
      return
    }
    const anchor = this.#viewIsCovered() ? this.#anchorIn(viewHeight) : this.#layout.rowAtTop(this.#shape.rows)
    if (anchor !== undefined) this.#position = anchor
  }

  #anchorIn(viewHeight: number): Anchor | undefined {
    const rows = this.#layout.laidOut()
    const steady = rows.filter(({ key }) => this.#isSteady(key))
    return pickAnchor(steady.length > 0 ? steady : rows, viewHeight)
  }

  /**
   * A day divider moves up with every older message of that day that is loaded, so as an anchor it would load all of
   * them. The unread line moves up once an earlier unread message is loaded.
   */
  #isSteady(key: string): boolean {
    const kind = this.#rowOf(key)?.kind
    return kind !== 'day' && kind !== 'unread'
  }

  #resized(): void {
    if (!this.#layout.isAttached) return
    const before = this.#layout.viewHeight
    this.#layout.measureView()
    const now = this.#layout.viewHeight
    if (!isEnd(this.#position) && before !== now) {
      this.#position = withViewHeight(this.#position, before, now)
    }
    this.#settle()
  }

  #place(): void {
    if (this.#shape.rows.length === 0) return
    const newest = this.#shape.rows.at(-1)?.key
    const appended = newest !== this.#lastKey
    this.#lastKey = newest
    const { lastTop } = this.#layout
    if (isEnd(this.#position)) {
      const fromEnd = appended ? 0 : this.#position.fromEnd
      this.#position = { fromEnd }
      this.#write(Math.max(0, lastTop - fromEnd))
    } else {
      const row = this.#layout.find(this.#position.key)
      if (row === undefined) return
      const delta = correction(this.#position, row)
      if (Math.abs(delta) < 0.5) return
      const wanted = this.#layout.top + delta
      this.#write(wanted)
      // Out of range at either end of the list: anchor to what is in view instead.
      if (wanted < -1 || wanted > lastTop + 1) this.#pick()
    }
    if (!this.#viewIsCovered()) this.#events.onSpan(false)
  }

  /** If the browser has that position already, for example after the view grew, its scroll event is ignored too. */
  #write(top: number): void {
    this.#writtenTop = this.#layout.scrollTo(top) ?? this.#layout.top
  }

  #report(): void {
    const layout = this.#layout
    const shape = this.#shape
    if (!layout.isAttached) return
    const { fromEnd } = layout
    const newestMounted = this.#span.end === shape.rows.length
    const atEnd = newestMounted && !shape.hasNewer && fromEnd <= END_ZONE_PX
    // An empty list counts as laid out once it is known to be empty.
    const isKnown = shape.rows.length > 0 || !shape.busy
    layout.markSettled((atEnd || this.#isPositionedAsOpened()) && isKnown)
    if (!isKnown) return
    // At the end the list sticks to it, however it got there.
    if (atEnd && !isEnd(this.#position)) this.#position = { fromEnd: Math.max(0, fromEnd) }
    if (atEnd !== this.#wasAtEnd) {
      this.#wasAtEnd = atEnd
      this.#events.onAtEnd(atEnd)
    }
    this.#updateTop()
    if (shape.busy || shape.rows.length === 0) return
    const ahead = layout.viewHeight * PAGE_AHEAD_VIEWS
    if (shape.hasOlder && layout.top < ahead) this.#events.onOlder()
    else if (shape.hasNewer && fromEnd < ahead) this.#events.onNewer()
  }

  #updateTop(): void {
    const rows = this.#layout.laidOut()
    const key = rows.find((row) => row.bottom > 1)?.key
    const head = rows.find((row) => row.bottom > STICKY_HEIGHT)?.key
    if (key === this.#top && head === this.#head) return
    this.#top = key
    this.#head = head
    for (const listener of this.#topListeners) listener()
  }

  #viewIsCovered(): boolean {
    return this.#layout.isCovered(this.#span, this.#shape.rows.length)
  }

  /** The row of the last landing is laid out, and rows fill the view around it. */
  #isPositionedAsOpened(): boolean {
    const position = this.#position
    if (!this.#asOpened || isEnd(position)) return false
    return this.#layout.find(position.key) !== undefined && this.#viewIsCovered()
  }

  #rowOf = (key: string): Row | undefined => this.#shape.rows[this.#indexes.get(key) ?? -1]

  #isAbove(key: string): boolean {
    return (this.#indexes.get(key) ?? 0) < this.#span.start
  }
}
