import { useEffect, useRef, type KeyboardEvent } from 'react'
import { composerKey } from '#shared/domain/draft.ts'
import { type Cid, type MessageId, asMessageId } from '#shared/lib/brand.ts'
import { tabStops } from '../../../lib/page/focus.ts'
import type { Roving } from '../../../lib/page/roving.ts'
import { focusRequested } from '../../../store/composers/composers.ts'
import { useAppDispatch, useAppSelector, useSetting } from '../../../store/hooks.ts'
import { letterOf } from '../actions/actions.ts'
import { nearestRemaining } from '../model/span.ts'
import type { PaneActions } from '../actions/use-pane-actions.tsx'
import type { ListView } from './list-view.ts'
import { nanoid } from '@reduxjs/toolkit'
import type { Message } from '#shared/domain/message.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { noticeRaised } from '../../../store/window/notices.ts'
import { selectOpenCid, selectOpenThread } from '../../../store/selectors.ts'
import { sendCommand, useCommand } from '../../../store/commands.ts'
import type { AppState, AppStore } from '../../../store/store.ts'
import { findMention } from '../actions/commands.ts'
import type { UnreadLine } from '../model/rows.ts'
import { mentions } from '../row/select.ts'

type Options = {
  readonly cid: Cid
  readonly parentId: MessageId | undefined
  readonly view: ListView
  readonly roving: Roving
  readonly focusIds: readonly string[]
  readonly actions: PaneActions
  readonly walks: Walks
  readonly onEnd: () => void
}

/**
 * Keyboard handling of a list, and focus preservation: the focused row stays mounted, and when it is removed the focus
 * moves to the nearest row. Letters are shortcuts only while a row has focus; other keys type in the composer.
 */
export function useListFocus({ cid, parentId, view, roving, focusIds, actions, walks, onEnd }: Options) {
  const dispatch = useAppDispatch()
  const focused = useRef<string>(undefined)
  const before = useRef(focusIds)
  const { focus } = roving
  useEffect(() => {
    const scroller = roving.containerProps.ref.current
    if (scroller === null) return undefined
    const remember = (): void => {
      const row = document.activeElement?.closest<HTMLElement>('[data-message-id]')
      focused.current =
        row !== null && row !== undefined && scroller.contains(row) ? row.dataset['messageId'] : undefined
      view.keepMounted(focused.current)
    }
    const enter = (event: FocusEvent): void => {
      const { target, relatedTarget } = event
      // Entering by keyboard focuses the remembered row, not a control of the last row.
      if (!(target instanceof Element) || !(relatedTarget instanceof Node) || scroller.contains(relatedTarget)) return
      if (target.matches('[data-message-id]') || !target.matches(':focus-visible')) return
      const rows = '[data-message-id]'
      const row = scroller.querySelector<HTMLElement>(`${rows}[tabindex="0"]`) ?? target.closest<HTMLElement>(rows)
      row?.focus()
    }
    const forget = (event: FocusEvent): void => {
      // Removing a row moves the focus to the body; the user has not left the list.
      if (event.relatedTarget === null) return
      remember()
    }
    scroller.addEventListener('focusin', enter)
    scroller.addEventListener('focusin', remember)
    scroller.addEventListener('focusout', forget)
    return () => {
      scroller.removeEventListener('focusin', enter)
      scroller.removeEventListener('focusin', remember)
      scroller.removeEventListener('focusout', forget)
    }
  }, [view, roving.containerProps.ref])
  useEffect(() => {
    const removed = focused.current
    if (
      removed !== undefined &&
      !focusIds.includes(removed) &&
      (document.activeElement === document.body || document.activeElement === null)
    ) {
      const next = nearestRemaining(before.current, removed, new Set(focusIds))
      if (next !== undefined) focus(next)
    }
    before.current = focusIds
  }, [focusIds, focus])
  const letterKeys = useSetting('letterKeys')
  const panelOpen = useAppSelector(({ ui }) => ui.panel !== undefined)
  const toComposer = (): void => void dispatch(focusRequested({ key: composerKey(cid, parentId) }))
  const step = (id: string, by: 1 | -1): void => {
    const next = focusIds[focusIds.indexOf(id) + by]
    if (next !== undefined) focus(next)
  }
  return (event: KeyboardEvent<HTMLElement>): void => {
    const row =
      event.target instanceof HTMLElement && event.target.matches('[data-message-id]') ? event.target : undefined
    const id = row?.dataset['messageId']
    if (row !== undefined && id !== undefined && !event.nativeEvent.isComposing) {
      if (event.key === 'End') onEnd()
      if (onRowKey(event, { row, id, step, toComposer, actions, walks, panelOpen, letterKeys })) event.preventDefault()
    }
    if (event.key === 'Tab' && !event.ctrlKey && !event.altKey && walkByTab(event)) return event.preventDefault()
    roving.containerProps.onKeyDown(event)
  }
}

/**
 * The list is one tab stop: Tab moves through the controls of a row and then leaves the list, never to the next row.
 * Entered from below, it starts at the remembered row. Returns whether the focus was moved.
 */
function walkByTab({ target, currentTarget, shiftKey }: KeyboardEvent<HTMLElement>): boolean {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-message-id]') : null
  if (row === null) return false
  const inside = [row, ...tabStops(row)]
  const next = inside[inside.indexOf(target as HTMLElement) + (shiftKey ? -1 : 1)]
  const stop = next ?? neighbourStop(currentTarget, shiftKey)
  stop?.focus()
  return stop !== undefined
}

/** The tab stop before or after an element, outside of it. */
function neighbourStop(element: HTMLElement, before: boolean): HTMLElement | undefined {
  const wanted = before ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING
  const stops = tabStops(document).filter(
    (stop) => !element.contains(stop) && (element.compareDocumentPosition(stop) & wanted) !== 0,
  )
  return before ? stops.at(-1) : stops[0]
}

type RowKey = {
  readonly row: HTMLElement
  readonly id: string
  readonly step: (id: string, by: 1 | -1) => void
  readonly toComposer: () => void
  readonly actions: PaneActions
  readonly walks: Walks
  readonly panelOpen: boolean
  /** Letters and digits act; else they are typed in the composer. */
  readonly letterKeys: boolean
}

/** True if the key was handled. */
function onRowKey(
  event: KeyboardEvent,
  { row, id, step, toComposer, actions, walks, panelOpen, letterKeys }: RowKey,
): boolean {
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey
  if (!letterKeys && plain && event.key.length === 1 && event.key !== ' ') {
    toComposer()
    return false
  }
  const letter = plain && !event.shiftKey ? letterOf(event.nativeEvent) : ''
  if (letter === 'j' || letter === 'k') {
    step(id, letter === 'j' ? 1 : -1)
    return true
  }
  if (plain && letterOf(event.nativeEvent) === 'n') {
    walks.mention(id, event.shiftKey ? -1 : 1)
    return true
  }
  if (plain && event.shiftKey && event.key === 'PageUp') {
    walks.oldestUnread()
    return true
  }
  const arrow = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined
  if (plain && event.shiftKey && arrow !== undefined) {
    // The focus follows the end of the selected range.
    actions.onKey(id, event.nativeEvent, row)
    step(id, arrow)
    return true
  }
  if (plain && (event.key === 'Enter' || event.key === '.')) {
    actions.openMenuOf(id, row)
    return true
  }
  if (actions.onKey(id, event.nativeEvent, row)) return true
  // An open panel comes first: the window closes it.
  if (plain && event.key === 'Escape' && !panelOpen) {
    toComposer()
    return true
  }
  // Typing continues in the composer: the key is not prevented, so it is typed there.
  if (plain && event.key.length === 1 && event.key !== ' ' && letter === '') toComposer()
  return false
}

type WalkOptions = {
  readonly cid: Cid
  readonly parentId: MessageId | undefined
  readonly messages: readonly Message[]
  /** Nothing is missing between them. */
  readonly isWhole: boolean
  readonly viewerId: string | undefined
  readonly focusIds: readonly string[]
  readonly hasNext: boolean
  readonly unread: UnreadLine | undefined
  readonly focus: (id: string) => void
  readonly jump: (messageId: MessageId) => void
  readonly toLatest: () => void
  readonly toUnread: () => void
  readonly onReact: (messageId: string) => void
}

/** Keyboard jumps from a row, other than to the adjacent rows. */
type Walks = {
  readonly oldestUnread: () => void
  /** The next message, newer or older, that mentions the viewer. */
  readonly mention: (fromId: string, by: 1 | -1) => void
}

type Window = Pick<AppStore, 'dispatch' | 'getState'>

/** Of the open thread if the focus is in it or no conversation is open; else of the open conversation. */
export const goToNewest = ({ dispatch, getState }: Window): void =>
  dispatch(sendCommand('goToNewest', { place: placeInUse(getState()), react: false }))

/** The same, and opens the reaction picker on it. */
export const reactToNewest = ({ dispatch, getState }: Window): void =>
  dispatch(sendCommand('goToNewest', { place: placeInUse(getState()), react: true }))

function placeInUse(state: AppState): string | undefined {
  const thread = selectOpenThread(state)
  const cid = selectOpenCid(state)
  const isInThread = cid === undefined || document.activeElement?.closest('[data-region="panel"]') !== null
  if (thread !== undefined && isInThread) return composerKey(thread.cid, thread.parentId)
  return cid && composerKey(cid)
}

const NOTHING_FOUND = { type: 'messages:mention', severity: 'info' } as const

type Wanted = { readonly id: string; readonly react: boolean }

function focusMessage({ focus, onReact }: WalkOptions, id: string, react: boolean): void {
  focus(id)
  if (react) onReact(id)
}

/** Keyboard jumps through a list. */
export function useWalks(options: WalkOptions): Walks {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const latest = useRef(options)
  /** A row to focus once it is there; `newest`: the last one, `unread`: the first unread one. */
  const wanted = useRef<Wanted>(undefined)
  /** Counts the requests for a mention: the result of an earlier one is ignored. */
  const requestCount = useRef(0)
  useEffect(() => {
    latest.current = options
    const { focusIds, hasNext, unread: line } = options
    const { id: of = '', react = false } = wanted.current ?? {}
    const newest = hasNext ? undefined : focusIds.at(-1)
    const id = of === 'newest' ? newest : of === 'unread' ? line?.id : of
    if (id === undefined || !focusIds.includes(id)) return
    wanted.current = undefined
    // The jump mounts its row in the next frame.
    afterFrames(2, () => focusMessage(latest.current, id, react))
  })
  const { cid, parentId } = options
  useEffect(
    () => () => {
      requestCount.current += 1
    },
    [],
  )
  useCommand('goToNewest', ({ place, react }) => {
    if (place !== composerKey(cid, parentId)) return
    const { focusIds, hasNext, toLatest } = latest.current
    toLatest()
    const newest = focusIds.at(-1)
    if (hasNext) wanted.current = { id: 'newest', react }
    else if (newest !== undefined) afterFrames(2, () => focusMessage(latest.current, newest, react))
  })
  /** A mention that is not loaded, or beyond a gap: the engine searches the server, or its cache while offline. */
  async function requestMention(fromId: string, by: 1 | -1): Promise<void> {
    const number = requestCount.current
    const direction = by === 1 ? 'newer' : 'older'
    const answer = await dispatch(findMention({ cid, parentId, messageId: asMessageId(fromId), direction }))
    // Unmounted in the meantime, or requested again.
    if (requestCount.current !== number || !answer.ok) return
    const { id, isWhole } = answer.value
    if (id !== null) return jumpAndFocus(id)
    const none = by === 1 ? 'none-newer' : 'none-older'
    const code = isWhole ? none : (`${none}-held` as const)
    dispatch(
      noticeRaised({ ...NOTHING_FOUND, code: `mention/${code}`, id: `local-${nanoid()}`, createdAt: Date.now() }),
    )
  }
  function jumpAndFocus(id: MessageId): void {
    const { jump, focusIds, focus } = latest.current
    jump(id)
    if (focusIds.includes(id)) afterFrames(2, () => focus(id))
    else wanted.current = { id, react: false }
  }
  return {
    oldestUnread: () => {
      const { unread, toUnread } = latest.current
      if (unread === undefined) return announce(t('unread.nothing'))
      if (unread.id === undefined) {
        wanted.current = { id: 'unread', react: false }
        return toUnread()
      }
      jumpAndFocus(unread.id)
    },
    mention: (fromId, by) => {
      const { messages, isWhole, viewerId, focus } = latest.current
      requestCount.current += 1
      const found = isWhole ? mentionFrom(messages, fromId, by, viewerId) : undefined
      if (found === undefined) void requestMention(fromId, by)
      else focus(found.id)
    },
  }
}

function mentionFrom(
  messages: readonly Message[],
  fromId: string,
  by: 1 | -1,
  viewerId: string | undefined,
): Message | undefined {
  const at = messages.findIndex(({ id }) => id === fromId)
  const isMention = (message: Message): boolean => mentions(message, viewerId)
  return by === 1 ? messages.slice(at + 1).find(isMention) : messages.slice(0, Math.max(0, at)).findLast(isMention)
}

function afterFrames(count: number, run: () => void): void {
  requestAnimationFrame(() => (count <= 1 ? run() : afterFrames(count - 1, run)))
}
