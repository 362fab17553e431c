import type { Message } from '#shared/domain/message.ts'
import { wordsOf } from './markdown/words.ts'

/** Puts plain text on the clipboard; never HTML. Rejects when the system refuses. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
}

export type CopyForm = 'words' | 'markdown'

/** One message as it goes on the clipboard: its words, or its source letter by letter. */
export const copyOf = (message: Pick<Message, 'text'>, form: CopyForm): string =>
  form === 'markdown' ? message.text : wordsOf(message.text)

/** Several messages, oldest first, each under its author and time (ISO 8601). Source: product paper, A25 and X45. */
export function copyOfMany(messages: readonly Message[], form: CopyForm, nameOf: (userId: string) => string): string {
  return messages
    .map((message) => {
      const head = `${nameOf(message.userId)}, ${isoOf(message.createdAt)}`
      const names = message.attachments.flatMap(({ title }) => title ?? [])
      return [head, copyOf(message, form), ...names].filter((part) => part !== '').join('\n')
    })
    .join('\n\n')
}

const isoOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`
