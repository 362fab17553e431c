import { useState } from 'react'
import type { MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { askUnread, markThreadRead, markThreadUnread, type ThreadPlace } from './commands.ts'

type Marked = ThreadPlace & { readonly messageId: MessageId }

type ReadAll = {
  readonly run: () => Promise<void>
  /** Present once all are read: marks each thread as unread again, from its first unread reply. */
  readonly undo: (() => Promise<void>) | undefined
}

/** Marks all these threads as read; can be undone while the view is open and nothing new has arrived. */
export function useReadAll(unread: readonly ThreadPlace[]): ReadAll {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const [marked, setMarked] = useState<readonly Marked[]>([])
  return {
    run: async () => {
      // Their read positions are not known any more afterwards.
      const answer = await dispatch(askUnread())
      const firstOf = new Map(answer.ok ? answer.value.map(({ parentId, firstId }) => [parentId, firstId]) : [])
      const done = await Promise.all(
        unread.map(async (place) => ((await dispatch(markThreadRead(place))).ok ? [place] : [])),
      )
      const read = done.flat()
      setMarked(
        read.flatMap((place) => {
          const messageId = firstOf.get(place.parentId)
          return messageId === undefined ? [] : [{ ...place, messageId }]
        }),
      )
      if (read.length === unread.length) announce(t('inbox.saidRead'))
    },
    undo:
      unread.length > 0 || marked.length === 0
        ? undefined
        : async () => {
            const done = await Promise.all(marked.map((place) => dispatch(markThreadUnread(place))))
            const left = marked.filter((_place, at) => done[at]?.ok !== true)
            setMarked(left)
            if (left.length === 0) announce(t('inbox.saidUnread'))
          },
  }
}
