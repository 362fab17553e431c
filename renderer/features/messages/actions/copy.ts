import type { Message } from '#shared/domain/message.ts'
import type { Poll } from '#shared/domain/poll.ts'
import { pointText } from '#shared/rules/locations/locations.ts'
import { labelOf } from '../markdown/words.ts'

/** Puts plain text on the clipboard; never HTML. Rejects when the system refuses. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
}

export type CopyForm = 'words' | 'markdown'

/** What of a message stands elsewhere. */
type Elsewhere = { readonly polls?: Readonly<Record<string, Pick<Poll, 'name' | 'description' | 'options'>>> }

/**
 * One message as it goes on the clipboard: its words, or its source letter by letter; a poll with its options, a place
 * with its coordinates.
 */
export function copyOf(
  message: Pick<Message, 'text' | 'pollId' | 'location'>,
  form: CopyForm,
  { polls = {} }: Elsewhere = {},
): string {
  const poll = message.pollId === undefined ? undefined : polls[message.pollId]
  const parts = [
    form === 'markdown' ? message.text : labelOf(message.text),
    ...(poll === undefined ? [] : [poll.name, poll.description, ...poll.options.map(({ text }) => `- ${text}`)]),
    message.location === undefined ? '' : pointText(message.location),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

/** Several messages, oldest first, each under its author and time (ISO 8601). */
export function copyOfMany(
  messages: readonly Message[],
  form: CopyForm,
  { nameOf, ...elsewhere }: Elsewhere & { readonly nameOf: (userId: string) => string },
): string {
  return messages
    .map((message) => {
      const name = nameOf(message.userId)
      const head = message.timeUnsure === true ? name : `${name}, ${isoOf(message.createdAt)}`
      const names = message.attachments.flatMap(({ title }) => title ?? [])
      return [head, copyOf(message, form, elsewhere), ...names].filter((part) => part !== '').join('\n')
    })
    .join('\n\n')
}

const isoOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`
