import { useMemo } from 'react'
import type { Message } from '#shared/domain/message.ts'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { Session } from '#shared/domain/session.ts'
import { linkWorkspace } from '#shared/rules/desktop/deep-link.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { loadCode } from '../../../lib/page/part.tsx'
import { useAppStore, useEngine } from '../../../store/hooks.ts'
import { selectSession } from '../../../store/selectors.ts'
import { copyPicture, piecesOf } from '../../attachments/index.ts'
import { selectName } from '../../people/index.ts'
import type { CopyFormat } from './copied-text.ts'

type Copying = {
  readonly one: (message: Message, format: CopyFormat) => void
  readonly many: (messages: readonly Message[], format: CopyFormat) => void
  readonly link: (message: Pick<Message, 'cid' | 'id'>) => void
  readonly picture: (message: Message, picture: Attachment | undefined) => void
}

/** How many there have been: one that takes longer to make than the next is not written over it, and not announced. */
let copies = 0

const texts = () => loadCode(() => import('./copied-text.ts'))

/** Copies to the clipboard and announces the result to screen readers. Stable identity. */
export function useCopying(): Copying {
  const t = useTexts('messages')
  const store = useAppStore()
  const engine = useEngine()
  return useMemo(() => {
    const copy = (write: (isLast: () => boolean) => Promise<void>): void => {
      const serial = (copies += 1)
      const isLast = (): boolean => serial === copies
      const say = (text: 'copied' | 'notCopied') => (): void => void (isLast() && announce(t(text)))
      write(isLast).then(say('copied'), say('notCopied'))
    }
    const put = (text: Promise<string>): void =>
      copy(async (isLast) => {
        const made = await text
        if (isLast()) await copyText(made)
      })
    return {
      one: (message, format) => {
        const { entities } = store.getState()
        put(texts().then(({ copyOf }) => copyOf(message, format, entities)))
      },
      many: (messages, format) => {
        const state = store.getState()
        const nameOf = (id: string): string => selectName(state, id)
        put(texts().then(({ copyOfMany }) => copyOfMany(messages, format, { nameOf, polls: state.entities.polls })))
      },
      link: (message) => {
        const link = messageLink(message, selectSession(store.getState()).workspace)
        if (link === undefined) announce(t('notCopied'))
        else copy(() => copyText(link))
      },
      picture: ({ id: messageId }, picture) => {
        if (picture === undefined) return
        copy((isLast) => copyPicture(piecesOf(engine, { messageId, index: picture.index }), isLast))
      },
    }
  }, [t, store, engine])
}

/** Writes plain text, never HTML, to the clipboard. Rejects when the system refuses. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
}

/** Ids that need no escaping in a link. Parsed by `parseDeepLink`. */
const CID = /^[\w-]{1,64}:[\w!-]{1,64}$/
const MESSAGE_ID = /^[\w-]{1,255}$/
const MAX_LENGTH = 512

type Place = Pick<Message, 'cid' | 'id'>

/** Whether the message can have a link. */
export const isLinkable = ({ cid, id }: Place): boolean =>
  CID.test(cid) && MESSAGE_ID.test(id) && id.length + cid.length < MAX_LENGTH - 128

/** `parlor://open/<workspace>/message/<cid>/<id>`; `undefined` if no valid link is possible. */
export function messageLink(message: Place, workspace: Session['workspace']): string | undefined {
  if (workspace === undefined || !isLinkable(message)) return undefined
  return `parlor://open/${linkWorkspace(workspace)}/message/${message.cid}/${message.id}`
}

type ForwardTexts = {
  readonly nameOf: (userId: string) => string
  /** Heading of a quotation: `From Ola`. */
  readonly from: (name: string) => string
  readonly emptyAs: string
  /** Whether the file itself is forwarded, so its name is not listed. */
  readonly isForwarded: (messageId: string, index: number) => boolean
}

/**
 * The text of forwarded messages: the sender's comment, then each message as a quotation under its author's name, with
 * the names of the files that are not forwarded.
 */
export function forwardText(messages: readonly Message[], comment: string, text: ForwardTexts): string {
  const parts = messages.map((message) => {
    const named = message.attachments.filter(({ index }) => !text.isForwarded(message.id, index))
    const files = named.map(({ title, linkUrl }) => `- ${title ?? linkUrl ?? text.emptyAs}`)
    const body = [message.text.trim(), files.join('\n')].filter((part) => part !== '').join('\n\n')
    return quoted(`**${escaped(text.from(text.nameOf(message.userId)))}**\n${body}`)
  })
  return [comment.trim(), ...parts].filter((part) => part !== '').join('\n\n')
}

/** Prefixes every line, empty ones too, so that one quotation does not run into the next. */
export const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')

/** Escapes Markdown characters in a name. */
const escaped = (name: string): string => name.replace(/[\\*_~`[\]]/g, String.raw`\$&`)
