import { useEffect, useRef } from 'react'
import type { Message } from '#shared/domain/message.ts'
import { asMessageId, type MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/announce.ts'
import { mentions, type UnreadLine } from './select.ts'

type Options = {
  readonly isThread: boolean
  readonly messages: readonly Message[]
  readonly viewerId: string | undefined
  readonly focusIds: readonly string[]
  readonly hasNext: boolean
  readonly unread: UnreadLine | undefined
  readonly focus: (id: string) => void
  readonly jump: (messageId: MessageId) => void
  readonly toLatest: () => void
}

/** Where keys lead from a row, beyond its neighbours. */
export type Walks = {
  readonly oldestUnread: () => void
  /** The next message, newer or older, that mentions the viewer. */
  readonly mention: (fromId: string, by: 1 | -1) => void
}

/** The list that is read is asked to go to its newest message and to take the focus there. */
const NEWEST_EVENT = 'parlor:newest-message'

/** Of the thread beside, where the focus is in it; else of the conversation. */
export function goToNewest(): void {
  const inPanel = document.activeElement?.closest('[data-region="panel"] [data-place="thread"]') !== null
  window.dispatchEvent(new CustomEvent(NEWEST_EVENT, { detail: inPanel ? 'panel' : 'main' }))
}

/** The longer ways through a list by key. Source: product paper 4.1 "Timeline", 1A row A8. */
export function useWalks(options: Options): Walks {
  const t = useTexts('messages')
  const latest = useRef(options)
  /** A row to focus once it is there; `newest`: the last one. */
  const wanted = useRef<string>(undefined)
  useEffect(() => {
    latest.current = options
    const { focusIds, hasNext, focus } = options
    const id = wanted.current === 'newest' ? (hasNext ? undefined : focusIds.at(-1)) : wanted.current
    if (id === undefined || !focusIds.includes(id)) return
    wanted.current = undefined
    // The jump mounts its row in the frame after this one.
    afterFrames(2, () => focus(id))
  })
  const { isThread } = options
  useEffect(() => {
    const listen = (event: Event): void => {
      const list: unknown = event instanceof CustomEvent ? event.detail : undefined
      if ((list === 'panel') !== isThread) return
      const { focusIds, hasNext, focus, toLatest } = latest.current
      toLatest()
      if (hasNext) wanted.current = 'newest'
      else if (focusIds.length > 0) afterFrames(2, () => focus(focusIds.at(-1) ?? ''))
    }
    window.addEventListener(NEWEST_EVENT, listen)
    return () => window.removeEventListener(NEWEST_EVENT, listen)
  }, [isThread])
  return {
    oldestUnread: () => {
      const { unread, jump, focusIds, focus } = latest.current
      if (unread === undefined) return announce(t('unread.nothing'))
      jump(asMessageId(unread.id))
      if (focusIds.includes(unread.id)) afterFrames(2, () => focus(unread.id))
      else wanted.current = unread.id
    },
    mention: (fromId, by) => {
      const { messages, viewerId, focus } = latest.current
      const found = mentionFrom(messages, fromId, by, viewerId)
      if (found === undefined) announce(t(by === 1 ? 'mention.noneNewer' : 'mention.noneOlder'))
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
