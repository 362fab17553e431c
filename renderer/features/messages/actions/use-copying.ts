import { useMemo } from 'react'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { Message } from '#shared/domain/message.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppStore, useEngine } from '../../../store/hooks.ts'
import { selectSession } from '../../../store/selectors.ts'
import { copyPicture, piecesOf } from '../../attachments/index.ts'
import { selectName } from '../../people/index.ts'
import { copyOf, copyOfMany, copyText, type CopyFormat } from './copy.ts'
import { messageLink } from './message-link.ts'

type Copying = {
  readonly one: (message: Message, format: CopyFormat) => void
  readonly many: (messages: readonly Message[], format: CopyFormat) => void
  readonly link: (message: Pick<Message, 'cid' | 'id'>) => void
  readonly picture: (message: Message, picture: Attachment | undefined) => void
}

/** Copies to the clipboard and announces the result to screen readers. Stable identity. */
export function useCopying(): Copying {
  const t = useTexts('messages')
  const store = useAppStore()
  const engine = useEngine()
  return useMemo(() => {
    const announceResult = (copied: Promise<void>): void =>
      void copied.then(
        () => announce(t('copied')),
        () => announce(t('notCopied')),
      )
    const put = (text: string): void => announceResult(copyText(text))
    return {
      one: (message, format) => put(copyOf(message, format, store.getState().entities)),
      many: (messages, format) => {
        const nameOf = (id: string): string => selectName(store.getState(), id)
        put(copyOfMany(messages, format, { nameOf, polls: store.getState().entities.polls }))
      },
      link: (message) => {
        const link = messageLink(message, selectSession(store.getState()).workspace)
        if (link === undefined) announce(t('notCopied'))
        else put(link)
      },
      picture: ({ id: messageId }, picture) => {
        if (picture !== undefined) announceResult(copyPicture(piecesOf(engine, { messageId, index: picture.index })))
      },
    }
  }, [t, store, engine])
}
