import type { Window } from '#shared/domain/changes.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { messageIdsOf, type Row } from '../model/rows.ts'
import type { Anchor } from '../model/span.ts'
import { AT_END, type Landing } from './list-view.ts'

/** Distance of the line from the top edge, so that the last read messages stay visible. */
const UNREAD_OFFSET_PX = 120
export const AT_UNREAD: Anchor = { key: 'unread', offset: UNREAD_OFFSET_PX }

const hasLine = (rows: readonly Row[]): boolean => rows.some(({ key }) => key === AT_UNREAD.key)

/** Where a list should go. */
export type Target =
  /** Its newest message; a list that has just come stands at the unread line, if there is one. */
  | { readonly kind: 'newest' }
  | { readonly kind: 'message'; readonly id: MessageId }
  /** The first unread message; its id where that is known. Where nothing is unread any more the newest. */
  | { readonly kind: 'unread'; readonly id?: MessageId }
  /** The first message at or after a time, else the last before it. */
  | { readonly kind: 'time'; readonly at: number }
  /** A previous reading position: a row, the nearest message, and its time in case the message no longer exists. */
  | { readonly kind: 'back'; readonly position: Anchor; readonly near: MessageId; readonly at: number }

type Way = {
  readonly visit: number
  readonly target: Target
  /** The list was just mounted and has shown nothing yet. */
  readonly isFirst: boolean
  /** The loaded rows may be of another place and are not shown until the target is loaded. */
  readonly isBare: boolean
}

/** Never the same twice in a page: a window that answers an earlier visit answers no later one. */
let visits = 0

/**
 * On the way to one place of a list. There is one way at a time, and the last wish is it: opening, a jump, coming back,
 * going to the newest message. It ends when the window holds the target; the rows and the place to stand at are then
 * taken in one commit. While it lasts nothing else moves the list or asks for pages.
 */
export class Course {
  #way: Way | undefined
  #last: Way | undefined
  #landing: Landing | undefined

  constructor(first: Target) {
    this.go(first, { isFirst: true, isBare: true })
  }

  /** Sets out; an unfinished way is given up. Answers the number of this visit. */
  go(target: Target, { isFirst = false, isBare = this.#way?.isBare ?? false } = {}): number {
    visits += 1
    this.#way = { visit: visits, target, isFirst: isFirst || this.#way?.isFirst === true, isBare }
    return visits
  }

  /** Cancels: the list stays where it is. */
  stay(): void {
    this.#way = undefined
  }

  /** The way that is not finished. */
  get unfinished(): Way | undefined {
    return this.#way
  }

  /** The way that was finished last. */
  get finished(): Way | undefined {
    return this.#last
  }

  /** Something is still to come; until then no page may be asked for. */
  isWaiting(window: Window | undefined): boolean {
    return this.#way !== undefined && !hasArrived(this.#way, window)
  }

  /** Nothing is to be shown yet, whatever is held. */
  isBare(window: Window | undefined): boolean {
    return this.#way?.isBare === true && !hasArrived(this.#way, window)
  }

  /** Where to stand with these rows; the last place for as long as there is no other. */
  landingIn(window: Window | undefined, rows: readonly Row[]): Landing | undefined {
    const way = this.#way
    return way === undefined || rows.length === 0 || !hasArrived(way, window)
      ? this.#landing
      : landingOf(way, window, rows)
  }

  /** Rows and this position are rendered. */
  settle(landing: Landing | undefined): void {
    this.#landing = landing
    if (landing === undefined || landing.visit !== this.#way?.visit) return
    this.#last = this.#way
    this.#way = undefined
  }
}

/** The message of a target. */
function messageOf({ target, visit }: Way, { ids, gapsBefore, landed }: Window): MessageId | undefined {
  const own = ownOf(target)
  // Beside a hole it may stand alone, without the neighbours it is looked for with.
  if (own !== undefined && ids.includes(own) && gapsBefore.length === 0) return own
  return landed?.visit === visit ? (landed.id ?? undefined) : undefined
}

function ownOf(target: Target): MessageId | undefined {
  switch (target.kind) {
    case 'message':
    case 'unread':
      return target.id
    case 'back':
      return target.near
    case 'newest':
    case 'time':
      return undefined
  }
}

function hasArrived(way: Way, window: Window | undefined): boolean {
  if (window === undefined) return false
  if (way.target.kind === 'newest') return !window.hasNext
  return messageOf(way, window) !== undefined || window.landed?.visit === way.visit
}

function landingOf(way: Way, window: Window | undefined, rows: readonly Row[]): Landing {
  const { visit, target, isFirst } = way
  if (target.kind === 'newest') return { visit, position: isFirst && hasLine(rows) ? AT_UNREAD : AT_END }
  if (target.kind === 'back' && rows.some(({ key }) => key === target.position.key)) {
    return { visit, position: target.position }
  }
  if (target.kind === 'unread' && hasLine(rows)) return { visit, position: AT_UNREAD }
  const id = window && messageOf(way, window)
  const row = rows.find((candidate) => messageIdsOf(candidate).some((one) => one === id)) ?? rows.at(-1)
  if (row === undefined) return { visit, position: AT_END }
  if (target.kind === 'unread') return { visit, position: { key: row.key, offset: UNREAD_OFFSET_PX } }
  if (target.kind === 'back') return { visit, position: { key: row.key, offset: target.position.offset } }
  return { visit, position: { key: row.key, offset: 0 }, isTarget: true }
}
