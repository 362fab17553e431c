import { useEffect, useRef } from 'react'
import { nanoid } from '@reduxjs/toolkit'
import { composerKey } from '#shared/domain/draft.ts'
import type { Message } from '#shared/domain/message.ts'
import { asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
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
export type Walks = {
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

function focusMessage({ focus, onReact }: Options, id: string, react: boolean): void {
  focus(id)
  if (react) onReact(id)
}

/** Keyboard jumps through a list. */
export function useWalks(options: Options): Walks {
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
