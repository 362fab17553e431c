import type { Channel } from '../../domain/channel.ts'

/** A channel as it is named in a text: `#` at a word's start, then letters, digits, `-` and `_`. */
const WORD = /(?<=^|[\s([{"'„«“])#([\p{L}\p{N}][\p{L}\p{N}_-]{0,79})/gu
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,79}$/u

/** A run of a text; with `name` it is written as channels are. */
type ChannelPart = { readonly text: string; readonly name?: string }

/** Cuts a text at the words that may name channels. Whether there is such a channel is for the reader's list to say. */
export function splitChannelWords(text: string): readonly ChannelPart[] {
  if (!text.includes('#')) return [{ text }]
  const parts: ChannelPart[] = []
  let from = 0
  for (const { index, 0: word, 1: name = '' } of text.matchAll(WORD)) {
    if (index > from) parts.push({ text: text.slice(from, index) })
    parts.push({ text: word, name })
    from = index + word.length
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from) })
  return parts
}

/** Whatever the case, it is the same channel. */
export const channelWordKey = (name: string): string => name.toLocaleLowerCase()

/** Channels that can be named in a text: those whose whole name is one word. A direct conversation is no channel. */
export const hasChannelWord = ({ name, directUserIds }: Pick<Channel, 'name' | 'directUserIds'>): boolean =>
  directUserIds.length === 0 && NAME.test(name)
