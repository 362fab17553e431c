import type { Message } from '#shared/domain/message.ts'

type ForwardTexts = {
  readonly nameOf: (userId: string) => string
  /** Whose words they are: `From Ola in #design`. */
  readonly from: (name: string) => string
  readonly emptyAs: string
  /** The file itself goes along, so it is not named. */
  readonly isAlong: (messageId: string, index: number) => boolean
}

/**
 * What is sent for a message passed on: its words as a quotation under the name of their author, names of its files in
 * place of those that do not go along, then what the sender adds.
 */
export function forwardText(messages: readonly Message[], comment: string, text: ForwardTexts): string {
  const parts = messages.map((message) => {
    const named = message.attachments.filter(({ index }) => !text.isAlong(message.id, index))
    const files = named.map(({ title, linkUrl }) => `- ${title ?? linkUrl ?? text.emptyAs}`)
    const body = [message.text.trim(), files.join('\n')].filter((part) => part !== '').join('\n\n')
    return quoted(`**${escaped(text.from(text.nameOf(message.userId)))}**\n${body}`)
  })
  return [comment.trim(), ...parts].filter((part) => part !== '').join('\n\n')
}

/** Two marks before every line, so that one quotation does not run into the next. */
export const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')

/** A name is words, whatever marks are in it. */
const escaped = (name: string): string => name.replace(/[\\*_~`[\]]/g, String.raw`\$&`)
