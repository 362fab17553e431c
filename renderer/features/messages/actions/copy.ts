import type { Message } from '#shared/domain/message.ts'
import type { Poll } from '#shared/domain/poll.ts'
import { pointText } from '#shared/rules/locations/locations.ts'
import { toPlainText } from '../markdown/to-plain-text.ts'

/** Writes plain text, never HTML, to the clipboard. Rejects when the system refuses. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
}

export type CopyFormat = 'plain' | 'markdown'

/** Entities a message refers to. */
type Referenced = { readonly polls?: Readonly<Record<string, Pick<Poll, 'name' | 'description' | 'options'>>> }

/**
 * A message as clipboard text: without formatting, or its unchanged source; a poll with its options, a location with its
 * coordinates.
 */
export function copyOf(
  message: Pick<Message, 'text' | 'pollId' | 'location'>,
  format: CopyFormat,
  { polls = {} }: Referenced = {},
): string {
  const poll = message.pollId === undefined ? undefined : polls[message.pollId]
  const parts = [
    format === 'markdown' ? message.text : toPlainText(message.text),
    ...(poll === undefined ? [] : [poll.name, poll.description, ...poll.options.map(({ text }) => `- ${text}`)]),
    message.location === undefined ? '' : pointText(message.location),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

/** Several messages, oldest first, each under its author and time (ISO 8601). */
export function copyOfMany(
  messages: readonly Message[],
  format: CopyFormat,
  { nameOf, ...referenced }: Referenced & { readonly nameOf: (userId: string) => string },
): string {
  return messages
    .map((message) => {
      const name = nameOf(message.userId)
      const head = message.timeUnsure === true ? name : `${name}, ${isoOf(message.createdAt)}`
      const names = message.attachments.flatMap(({ title }) => title ?? [])
      return [head, copyOf(message, format, referenced), ...names].filter((part) => part !== '').join('\n')
    })
    .join('\n\n')
}

const isoOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`
