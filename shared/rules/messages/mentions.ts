import type { Block, Inline, ListItem, TableCell, BroadcastMention } from '../../domain/message.ts'
import type { Channel } from '../../domain/channel.ts'

/** A person a text may mention; `all` for a broadcast mention. */
export type Mentionable = { readonly id: string; readonly name: string; readonly all?: true }

/** Blocks of a text with the mentions of its people, and of channels, as nodes of their own. Not in code. */
export const withMentions = (blocks: readonly Block[], people: readonly Mentionable[]): readonly Block[] =>
  blocks.map((block) => blockWith(block, people))

function blockWith(block: Block, people: readonly Mentionable[]): Block {
  const cells = (row: readonly TableCell[]): TableCell[] =>
    row.map((cell) => ({ ...cell, children: inlinesWith(cell.children, people) }))
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return { kind: block.kind, children: inlinesWith(block.children, people) }
    case 'quote':
      return { kind: 'quote', children: withMentions(block.children, people) }
    case 'list':
      return {
        ...block,
        items: block.items.map((item): ListItem => ({ ...item, children: withMentions(item.children, people) })),
      }
    case 'table':
      return { kind: 'table', head: cells(block.head), rows: block.rows.map(cells) }
    case 'codeBlock':
    case 'rule':
      return block
  }
}

/** Inside a link nothing else is clickable: it has no channels. */
const inlinesWith = (nodes: readonly Inline[], people: readonly Mentionable[], inLink = false): readonly Inline[] =>
  nodes.flatMap((node): readonly Inline[] => {
    if (node.kind === 'text') {
      const parts = splitMentions(node.text, people)
      return inLink ? parts : parts.flatMap(splitChannels)
    }
    if (!('children' in node)) return [node]
    return [{ ...node, children: inlinesWith(node.children, people, inLink || node.kind === 'link') }]
  })

/** Splits text nodes at channel mentions; a `#` inside a mention is part of a name. */
const splitChannels = (node: Inline): readonly Inline[] =>
  node.kind === 'text' ? splitChannelMentions(node.text) : [node]

/**
 * Splits text at mentions of the message's mentioned people. The longest spelling wins, so that "@Ola Wiśniewska" is one
 * mention; a first name alone counts too. A mention must end at a word boundary.
 */
export function splitMentions(text: string, people: readonly Mentionable[]): readonly Inline[] {
  if (people.length === 0 || !text.includes('@')) return [{ kind: 'text', text }]
  const spellings = people
    .flatMap((person) => spellingsOf(person).map((spelling) => ({ spelling, person })))
    .toSorted((a, b) => b.spelling.length - a.spelling.length)
  const nodes: Inline[] = []
  let from = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const hit =
      at >= from && !isWordAt(text, at - 1)
        ? spellings.find(({ spelling }) => spelledAt(text, at + 1, spelling))
        : undefined
    if (hit === undefined) continue
    const end = at + 1 + hit.spelling.length
    if (at > from) nodes.push({ kind: 'text', text: text.slice(from, at) })
    const user = hit.person.all ? {} : { userId: hit.person.id }
    nodes.push({ kind: 'mention', ...user, text: text.slice(at, end) })
    from = end
  }
  if (from < text.length || nodes.length === 0) nodes.push({ kind: 'text', text: text.slice(from) })
  return nodes
}

function spellingsOf(person: Mentionable): string[] {
  const first = person.name.split(' ')[0] ?? ''
  return [...new Set([person.name, person.id, first])].filter((text) => text !== '')
}

const spelledAt = (text: string, at: number, label: string): boolean =>
  text.slice(at, at + label.length).toLocaleLowerCase() === label.toLocaleLowerCase() &&
  !isWordAt(text, at + label.length)

const isWordAt = (text: string, index: number): boolean => /[\p{L}\p{N}_]/u.test(text.charAt(index))

/** A channel mention: `#` at the start of a word, then letters, digits, `-` and `_`. */
const WORD = /(?<=^|[\s([{"'„«“])#([\p{L}\p{N}][\p{L}\p{N}_-]{0,79})/gu
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,79}$/u

type ChannelPart = Extract<Inline, { readonly kind: 'text' | 'channel' }>

/** Splits a text at possible channel mentions. Whether such a channel exists depends on the reader's list. */
export function splitChannelMentions(text: string): readonly ChannelPart[] {
  if (!text.includes('#')) return [{ kind: 'text', text }]
  const parts: ChannelPart[] = []
  let from = 0
  for (const { index, 0: word, 1: name = '' } of text.matchAll(WORD)) {
    if (index > from) parts.push({ kind: 'text', text: text.slice(from, index) })
    parts.push({ kind: 'channel', name, text: word })
    from = index + word.length
  }
  if (from < text.length || parts.length === 0) parts.push({ kind: 'text', text: text.slice(from) })
  return parts
}

/** Channel mentions ignore case. */
export const channelNameKey = (name: string): string => name.toLocaleLowerCase()

/** Channels that can be mentioned: those whose whole name is one word. Direct conversations cannot. */
export const isMentionableChannel = ({ name, directUserIds }: Pick<Channel, 'name' | 'directUserIds'>): boolean =>
  directUserIds.length === 0 && NAME.test(name)

/** `@channel` and `@here` as whole words, ignoring case. */
const CALL = /(?<![\p{L}\p{N}_@])@(channel|here)(?![\p{L}\p{N}_])/giu
/** Mentions in code do not count. An unclosed fence extends to the end. */
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/gu

/** The broadcast mentions of a text. See docs/wire.md 3.3 "MESSAGE INPUT". */
export function broadcastsIn(text: string): BroadcastMention[] {
  if (!text.includes('@')) return []
  const called = new Set([...text.replaceAll(CODE, ' ').matchAll(CALL)].map((hit) => hit[1]?.toLowerCase()))
  return (['channel', 'here'] as const).filter((broadcast) => called.has(broadcast))
}

/** Those of the chosen ones that the text contains: an invisible mention would notify no one knowingly. */
export function presentBroadcasts(
  text: string,
  chosen: readonly BroadcastMention[] = [],
): { readonly reach?: readonly BroadcastMention[] } {
  const reach = broadcastsIn(text).filter((each) => chosen.includes(each))
  return reach.length === 0 ? {} : { reach }
}

/** Unlike other rights, this one must be granted explicitly: a server without it refuses the whole message. */
export const mayCall = ({ capabilities }: Pick<Channel, 'capabilities'>, broadcast: BroadcastMention): boolean =>
  capabilities.includes(`notify-${broadcast}`)

type Naming = {
  readonly mentionedUserIds: readonly string[]
  readonly reach?: readonly BroadcastMention[]
}

/**
 * Whether the message mentions this person, directly or by a broadcast mention. Who was online at the time of an
 * `@here` cannot be determined later, so it counts for everyone: rather a false mention than a missed one.
 */
export const isNamed = ({ mentionedUserIds, reach = [] }: Naming, userId: string): boolean =>
  reach.length > 0 || mentionedUserIds.includes(userId)
