import type { Channel } from '../../domain/channel.ts'

/** A channel mention: `#` at the start of a word, then letters, digits, `-` and `_`. */
const WORD = /(?<=^|[\s([{"'„«“])#([\p{L}\p{N}][\p{L}\p{N}_-]{0,79})/gu
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,79}$/u

/** A run of a text; with `name` it is a possible channel mention. */
type ChannelPart = { readonly text: string; readonly name?: string }

/** Splits a text at possible channel mentions. Whether such a channel exists depends on the reader's list. */
export function splitChannelMentions(text: string): readonly ChannelPart[] {
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

/** Channel mentions ignore case. */
export const channelNameKey = (name: string): string => name.toLocaleLowerCase()

/** Channels that can be mentioned: those whose whole name is one word. Direct conversations cannot. */
export const isMentionableChannel = ({ name, directUserIds }: Pick<Channel, 'name' | 'directUserIds'>): boolean =>
  directUserIds.length === 0 && NAME.test(name)
