import type { Message } from '#shared/domain/message.ts'

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
