import type { Window } from '#shared/domain/changes.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { messageIdsOf, type Row } from '../model/rows.ts'
import type { Anchor } from '../model/span.ts'
import { AT_END, type Landing } from './list-view.ts'

/** Distance of the unread line from the top edge, so that the last read messages stay visible. */
const UNREAD_OFFSET_PX = 120
export const AT_UNREAD: Anchor = { key: 'unread', offset: UNREAD_OFFSET_PX }

const hasLine = (rows: readonly Row[]): boolean => rows.some(({ key }) => key === AT_UNREAD.key)

/** Where a list should go. */
export type Target =
  /** The newest message. A list that was just mounted goes to the unread line instead, if there is one. */
  | { readonly kind: 'newest' }
  | { readonly kind: 'message'; readonly id: MessageId }
  /** The first unread message, with its id if known; the newest message if nothing is unread anymore. */
  | { readonly kind: 'unread'; readonly id?: MessageId }
  /** The first message at or after a time, else the last before it. */
  | { readonly kind: 'time'; readonly at: number }
  /** A previous reading position: a row, the nearest message, and its time in case the message no longer exists. */
  | { readonly kind: 'back'; readonly position: Anchor; readonly near: MessageId; readonly at: number }

type Navigation = {
  readonly visit: number
  readonly target: Target
  /** The list was just mounted and has shown nothing yet. */
  readonly isFirst: boolean
  /** The loaded rows may belong to another position, so none are shown until the target is loaded. */
  readonly isHidden: boolean
}

/** Unique in a page, so that the result of an earlier navigation is not taken for that of a later one. */
let lastVisit = 0

/**
 * The navigation of one list to a target: opening, a jump, going back, going to the newest message. There is one at a
 * time, and the last request wins. It completes when the window contains the target; the rows and the scroll position
 * are then rendered in one commit. While it is pending nothing else scrolls the list or requests pages (ADR 27).
 */
export class ListNavigation {
  #pending: Navigation | undefined
  #completed: Navigation | undefined
  #landing: Landing | undefined

  constructor(first: Target) {
    this.go(first, { isFirst: true, isHidden: true })
  }

  /** Starts a navigation, which replaces a pending one. Returns its number. */
  go(target: Target, { isFirst = false, isHidden = this.#pending?.isHidden ?? false } = {}): number {
    lastVisit += 1
    this.#pending = { visit: lastVisit, target, isFirst: isFirst || this.#pending?.isFirst === true, isHidden }
    return lastVisit
  }

  /** Cancels the pending navigation: the list stays where it is. */
  cancel(): void {
    this.#pending = undefined
  }

  /** The navigation whose target is not on screen yet. */
  get pending(): Navigation | undefined {
    return this.#pending
  }

  /** The navigation that was completed last. */
  get completed(): Navigation | undefined {
    return this.#completed
  }

  /** The target is not loaded yet; until then no page may be requested. */
  isWaiting(window: Window | undefined): boolean {
    return this.#pending !== undefined && !isLoaded(this.#pending, window)
  }

  /** The loaded rows must not be shown yet. */
  isHidden(window: Window | undefined): boolean {
    return this.#pending?.isHidden === true && !isLoaded(this.#pending, window)
  }

  /** Scroll position with these rows; the previous one until the target is loaded. */
  landingIn(window: Window | undefined, rows: readonly Row[]): Landing | undefined {
    const navigation = this.#pending
    return navigation === undefined || rows.length === 0 || !isLoaded(navigation, window)
      ? this.#landing
      : landingOf(navigation, window, rows)
  }

  /** Rows and this position are rendered. */
  settle(landing: Landing | undefined): void {
    this.#landing = landing
    if (landing === undefined || landing.visit !== this.#pending?.visit) return
    this.#completed = this.#pending
    this.#pending = undefined
  }
}

/** The message of a target. */
function messageOf({ target, visit }: Navigation, { ids, gapsBefore, landed }: Window): MessageId | undefined {
  const own = ownOf(target)
  // Beside a gap it may be loaded without its neighbors, which are shown with it.
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

function isLoaded(navigation: Navigation, window: Window | undefined): boolean {
  if (window === undefined) return false
  if (navigation.target.kind === 'newest') return !window.hasNext
  return messageOf(navigation, window) !== undefined || window.landed?.visit === navigation.visit
}

function landingOf(navigation: Navigation, window: Window | undefined, rows: readonly Row[]): Landing {
  const { visit, target, isFirst } = navigation
  if (target.kind === 'newest') return { visit, position: isFirst && hasLine(rows) ? AT_UNREAD : AT_END }
  if (target.kind === 'back' && rows.some(({ key }) => key === target.position.key)) {
    return { visit, position: target.position }
  }
  if (target.kind === 'unread' && hasLine(rows)) return { visit, position: AT_UNREAD }
  const id = window && messageOf(navigation, window)
  const row = rows.find((candidate) => messageIdsOf(candidate).some((one) => one === id)) ?? rows.at(-1)
  if (row === undefined) return { visit, position: AT_END }
  if (target.kind === 'unread') return { visit, position: { key: row.key, offset: UNREAD_OFFSET_PX } }
  if (target.kind === 'back') return { visit, position: { key: row.key, offset: target.position.offset } }
  return { visit, position: { key: row.key, offset: 0 }, isTarget: true }
}
