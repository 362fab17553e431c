import type { Block, Inline, ListItem, TableCell } from '../../domain/message.ts'
import { splitChannelMentions } from '../messages/mentions.ts'

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
  node.kind !== 'text'
    ? [node]
    : splitChannelMentions(node.text).map(({ text, name }) =>
        name === undefined ? { kind: 'text', text } : { kind: 'channel', name, text },
      )

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
