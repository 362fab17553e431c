import { useEffect, useRef } from 'react'
import type { Window } from '#shared/domain/changes.ts'
import type { Message } from '#shared/domain/message.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppStore, useSetting } from '../../../store/hooks.ts'
import { selectName } from '../../people/index.ts'
import { oneLine } from '../row/Quote.tsx'

/** More messages than this are announced as a count. */
const MAX_SPOKEN = 3

/** Announces messages of others that arrive at the end of the open list, but not loaded history. */
export function useAnnouncements(
  messages: readonly Message[],
  window: Window | undefined,
  viewerId: string | undefined,
): void {
  const t = useTexts('messages')
  const store = useAppStore()
  const speech = useSetting('speech')
  const spokenUpTo = useRef<number>(undefined)
  const live = window !== undefined && !window.hasNext && window.loading !== 'initial'
  useEffect(() => {
    const newest = messages.at(-1)?.createdAt
    const since = spokenUpTo.current
    if (!live || newest === undefined) return
    spokenUpTo.current = Math.max(newest, since ?? 0)
    if (since === undefined) return
    const fresh = messages.filter(
      (message) => message.createdAt > since && message.userId !== viewerId && !message.silent,
    )
    if (fresh.length > MAX_SPOKEN) announce(t('announce.many', { count: fresh.length }))
    else for (const message of fresh) announce(textOf(message))
    function textOf(message: Message): string {
      const author = selectName(store.getState(), message.userId)
      const text = oneLine(message.text)
      if (text === '') return t('announce.files', { author })
      if (speech === 'brief') return t('announce.from', { author })
      return speech === 'text' ? text : t('announce.one', { author, text })
    }
  }, [messages, live, viewerId, store, speech, t])
}
