import { useMemo } from 'react'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { Message } from '#shared/domain/message.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppStore, useEngine } from '../../../store/hooks.ts'
import { selectSession } from '../../../store/selectors.ts'
import { copyPicture, piecesOf } from '../../attachments/index.ts'
import { selectName } from '../../people/index.ts'
import { copyOf, copyOfMany, copyText, type CopyForm } from './copy.ts'
import { messageLink } from './message-link.ts'

type Copying = {
  readonly one: (message: Message, form: CopyForm) => void
  readonly many: (messages: readonly Message[], form: CopyForm) => void
  readonly link: (message: Pick<Message, 'cid' | 'id'>) => void
  readonly picture: (message: Message, picture: Attachment | undefined) => void
}

/** The clipboard, with what became of it said aloud. Stable. */
export function useCopying(): Copying {
  const t = useTexts('messages')
  const store = useAppStore()
  const engine = useEngine()
  return useMemo(() => {
    const shown = (done: Promise<void>): void =>
      void done.then(
        () => announce(t('copied')),
        () => announce(t('notCopied')),
      )
    const put = (text: string): void => shown(copyText(text))
    return {
      one: (message, form) => put(copyOf(message, form, store.getState().entities)),
      many: (messages, form) => {
        const nameOf = (id: string): string => selectName(store.getState(), id)
        put(copyOfMany(messages, form, { nameOf, polls: store.getState().entities.polls }))
      },
      link: (message) => {
        const link = messageLink(message, selectSession(store.getState()).workspace)
        if (link === undefined) announce(t('notCopied'))
        else put(link)
      },
      picture: ({ id: messageId }, picture) => {
        if (picture !== undefined) shown(copyPicture(piecesOf(engine, { messageId, index: picture.index })))
      },
    }
  }, [t, store, engine])
}
