import { useCallback, useMemo, useState } from 'react'
import type { Message } from '#shared/domain/message.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useAppStore, useSession, useWindow } from '../../store/hooks.ts'
import type { AppState } from '../../store/store.ts'

type ThreadLine = { readonly id: string; readonly count: number }

/**
 * The unread line of a thread: placed once, when the first replies are there, and kept until the thread is left. Marking
 * unread by hand moves it.
 */
export function useThreadLine(parentId: MessageId): {
  readonly line: ThreadLine | undefined
  readonly moveTo: (messageId: MessageId) => void
} {
  const store = useAppStore()
  const viewerId = useSession().userId
  const window = useWindow(`thread:${parentId}`)
  const [line, setLine] = useState<ThreadLine>()
  const [placed, setPlaced] = useState(false)
  if (!placed && window !== undefined && window.ids.length > 0) {
    setPlaced(true)
    setLine(lineOf(store.getState().entities.messages[parentId], repliesOf(store.getState(), parentId), viewerId))
  }
  const moveTo = useCallback(
    (messageId: MessageId) => {
      const replies = repliesOf(store.getState(), parentId)
      const from = Math.max(
        0,
        replies.findIndex((reply) => reply.id === messageId),
      )
      setLine({ id: messageId, count: replies.slice(from).filter((reply) => reply.userId !== viewerId).length })
    },
    [store, parentId, viewerId],
  )
  return useMemo(() => ({ line, moveTo }), [line, moveTo])
}

/** Above the first reply by someone else that was not read. */
function lineOf(
  parent: Message | undefined,
  replies: readonly Message[],
  viewerId: string | undefined,
): ThreadLine | undefined {
  const { unread = 0, lastReadAt } = parent?.thread ?? {}
  if (unread === 0 || lastReadAt === undefined) return undefined
  const first = replies.find((reply) => reply.createdAt > lastReadAt && reply.userId !== viewerId)
  return first === undefined ? undefined : { id: first.id, count: unread }
}

const repliesOf = ({ windows, entities }: AppState, parentId: MessageId): readonly Message[] =>
  (windows.byKey[`thread:${parentId}`]?.ids ?? []).flatMap((id) => entities.messages[id] ?? [])
