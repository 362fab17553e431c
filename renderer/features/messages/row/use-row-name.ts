import { useMemo } from 'react'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { Message } from '#shared/domain/message.ts'
import { fold } from '#shared/rules/markdown/fold.ts'
import { plainText } from '#shared/rules/markdown/plain.ts'
import { useTexts } from '../../../i18n/index.ts'
import { altOf, isPicture, ownName, labelKeyOf } from '../../attachments/index.ts'
import { useBlocks } from '../markdown/shown.ts'
import { isSentSilently, type RowContent } from './select.ts'

type Texts = ReturnType<typeof useTexts<'messages'>>

type Options = {
  readonly content: RowContent
  /** The author's name. */
  readonly name: string
  readonly time: string
  /** The message mentions the viewer. */
  readonly mention: boolean
  readonly picked: boolean
}

type RowName = {
  readonly name: string
  /** It has the text of the message in it, so it is said in the language of that. */
  readonly hasText: boolean
}

/**
 * Accessible name of a row: author and text first, then attachments and states, the time last. Brief, if the user chose
 * so: without what the row itself says.
 */
export function useRowName({ content, name, time, mention, picked }: Options): RowName {
  const { message, isBrief } = content
  const t = useTexts('messages')
  const text = useText(message, t)
  // A program may have the name of a person: what shows the tag in the row is said, too.
  const author = content.author?.bot === true ? `${name}, ${t('row.app')}` : name
  if (isBrief) {
    const state = [picked ? t('select.picked') : '', mention ? t('row.mentionsYou') : '', statusOf(message, t)]
    return { name: sentence([author, ...state, time]), hasText: false }
  }
  const full = sentence([
    text === '' ? author : t('row.says', { author, text }),
    picked ? t('select.picked') : '',
    mention ? t('row.mentionsYou') : '',
    ...detailsOf(content, t),
    time,
  ])
  return { name: full, hasText: true }
}

/** The text without formatting; code blocks are only counted, and long texts cut where the row cuts them. */
function useText(message: Message, t: Texts): string {
  const deleted = message.type === 'deleted' || message.deletedAt !== undefined
  const text = useMemo(() => (deleted ? '' : fold(message.text).text), [deleted, message.text])
  const blocks = useBlocks(text, deleted ? undefined : message.blocks)
  return useMemo(
    () => (deleted ? t('deleted') : plainText(blocks, (lines) => t('code.label', { count: lines }))),
    [deleted, blocks, t],
  )
}

function detailsOf({ message, isSaved, quotedName }: RowContent, t: Texts): readonly string[] {
  const reactions = message.reactions.reduce((sum, group) => sum + group.count, 0)
  const files = message.attachments.length + message.uploads.length
  const [first] = message.attachments
  const states = [
    message.editedAt === undefined ? '' : t('row.edited'),
    message.pinned ? t('row.pinned') : '',
    isSaved ? t('row.saved') : '',
    isSentSilently(message) ? t('row.silent') : '',
  ]
  const { thread } = message
  return [
    message.quoted === undefined ? '' : t('row.quotes', { name: quotedName }),
    files === 1 && first !== undefined ? whatIs(first, t) : files > 0 ? t('row.attachments', { count: files }) : '',
    message.pollId === undefined ? '' : t('row.poll'),
    message.location === undefined ? '' : t('row.location'),
    thread === undefined || thread.replyCount === 0 ? '' : t('row.replies', { count: thread.replyCount }),
    reactions > 0 ? t('row.reactions', { count: reactions }) : '',
    states.filter((state) => state !== '').join(', '),
    message.type === 'ephemeral' || message.type === 'error' ? t('row.onlyYou') : '',
    statusOf(message, t),
  ]
}

/** A picture by its description, any other file by its name; a picture's file name is not useful. */
function whatIs(attachment: Attachment, t: Texts): string {
  const what = t(labelKeyOf(attachment))
  const name = isPicture(attachment) ? altOf(attachment) : ownName(attachment)
  return name === '' ? what : t('row.named', { what, name })
}

function statusOf({ status }: Message, t: Texts): string {
  if (status === 'failed') return t('row.failed')
  return status === 'queued' ? t('row.queued') : ''
}

/** Joins parts as sentences; a part that ends with punctuation gets no second period. */
const sentence = (parts: readonly string[]): string =>
  parts
    .filter((part) => part !== '')
    .map((part, index, all) => (index === all.length - 1 || /[.!?…:]$/.test(part) ? part : `${part}.`))
    .join(' ')
