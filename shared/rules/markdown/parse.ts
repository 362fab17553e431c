import MarkdownIt, { type Token } from 'markdown-it'
import type { Block, Inline, ListItem, TableCell } from '../../domain/message.ts'
import { emojiCode, emojiNameAt } from '../messages/emoji.ts'
import { LINK_SCHEME, parseDeepLink } from '../desktop/deep-link.ts'
import { cleanName } from '../../lib/clean-text.ts'
import { type Mentionable, withMentions } from '../messages/mentions.ts'
import { plainInline, plainText } from './plain.ts'
import { hostToShow, safeLink } from './safe-link.ts'

/**
 * Builds a tree from markdown-it's tokens. HTML is neither parsed nor produced. Disabled on purpose: images (they become
 * links), reference definitions and underlined headings (they swallow ordinary text), and indented code (common in
 * pasted text).
 */
const CUSTOM_EMOJI = 'custom_emoji'
const MAX_DEPTH = 16
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: MAX_DEPTH + 4 }).disable([
  'code',
  'reference',
  'lheading',
  'image',
  'html_block',
  'html_inline',
])
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
// Parlor's own links, as copied from a message.
markdown.linkify.add(`${LINK_SCHEME}:`, {
  validate: (text, at) => /^\/\/[\w.~%@!:/-]+/.exec(text.slice(at))?.[0].length ?? 0,
})
// Before emphasis, because a `_` in an emoji name is not emphasis.
markdown.inline.ruler.before('emphasis', CUSTOM_EMOJI, (state, silent) => {
  const name = emojiNameAt(state.src, state.pos)
  if (name === undefined) return false
  const code = emojiCode(name)
  if (!silent) state.push(CUSTOM_EMOJI, '', 0).content = name
  state.pos += code.length
  return true
})
// Content nested too deep becomes text with its markers; the parser itself would drop it.
markdown.block.ruler.before('table', 'too_deep', (state, from, to, silent) => {
  if (silent || state.level < MAX_DEPTH) return false
  state.push('paragraph_open', 'p', 1)
  const inline = state.push('inline', '', 0)
  inline.content = state.getLines(from, to, state.blkIndent, false).trim()
  inline.children = []
  state.push('paragraph_close', 'p', -1)
  state.line = to
  return true
})
markdown.validateLink = (address) => safeLink(address) !== undefined || parseDeepLink(address) !== undefined

/** Blocks of a message text. Never throws: text that is not Markdown stays text. Without mentions: see `people.ts`. */
export function parseText(text: string): readonly Block[] {
  const blocks = new Reader(markdown.parse(text, {})).blocks()
  // Markers without content ("-", "****") stay text.
  if (text.trim() === '' || plainText(blocks).trim() !== '') return blocks
  return [{ kind: 'paragraph', children: [{ kind: 'text', text: text.trim() }] }]
}

/** As {@link parseText}, with the mentions of these people, and of channels. */
export const parseMessage = (text: string, people: readonly Mentionable[] = []): readonly Block[] =>
  withMentions(parseText(text), people)

const INLINE_MARKS = { strong_open: 'strong', em_open: 'em', s_open: 'strike' } as const

/** Builds the tree in one pass over the flat token list. */
class Reader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  blocks(until?: string): Block[] {
    const blocks: Block[] = []
    for (let token = this.#next(); token !== undefined && token.type !== until; token = this.#next()) {
      const block = this.#block(token)
      if (block !== undefined) blocks.push(block)
    }
    return blocks
  }

  #next(): Token | undefined {
    return this.#tokens[this.#at++]
  }

  #block(token: Token): Block | undefined {
    switch (token.type) {
      case 'paragraph_open':
        return { kind: 'paragraph', children: this.#inlineUntil('paragraph_close') }
      case 'heading_open':
        return { kind: 'heading', children: this.#inlineUntil('heading_close') }
      case 'fence':
        return { kind: 'codeBlock', language: languageOf(token.info), text: token.content.replace(/\n$/, '') }
      case 'blockquote_open':
        return { kind: 'quote', children: this.blocks('blockquote_close') }
      case 'bullet_list_open':
        return { kind: 'list', ordered: false, start: 1, items: this.#items('bullet_list_close') }
      case 'ordered_list_open':
        return { kind: 'list', ordered: true, start: startOf(token), items: this.#items('ordered_list_close') }
      case 'table_open':
        return this.#table()
      case 'hr':
        return { kind: 'rule' }
      case 'inline':
        return { kind: 'paragraph', children: this.#inline(token) }
      default:
        return token.content === ''
          ? undefined
          : { kind: 'paragraph', children: [{ kind: 'text', text: token.content }] }
    }
  }

  #inlineUntil(close: string): Inline[] {
    const nodes: Inline[] = []
    for (let token = this.#next(); token !== undefined && token.type !== close; token = this.#next()) {
      if (token.type === 'inline') nodes.push(...this.#inline(token))
    }
    return nodes
  }

  #items(close: string): ListItem[] {
    const items: ListItem[] = []
    for (let token = this.#next(); token !== undefined && token.type !== close; token = this.#next()) {
      if (token.type === 'list_item_open') items.push(asTask(this.blocks('list_item_close')))
    }
    return items
  }

  #table(): Block {
    const rows: TableCell[][] = []
    for (let token = this.#next(); token !== undefined && token.type !== 'table_close'; token = this.#next()) {
      if (token.type === 'tr_open') rows.push([])
      if (token.type === 'th_open' || token.type === 'td_open') {
        const children = this.#inlineUntil(token.type.replace('_open', '_close'))
        const align = alignOf(token)
        rows.at(-1)?.push(align === undefined ? { children } : { align, children })
      }
    }
    return { kind: 'table', head: rows[0] ?? [], rows: rows.slice(1) }
  }

  #inline(token: Token): Inline[] {
    const children = token.children ?? []
    let at = 0
    const read = (close?: string): Inline[] => {
      const nodes: Inline[] = []
      for (let child = children[at++]; child !== undefined && child.type !== close; child = children[at++]) {
        nodes.push(...this.#inlineNode(child, read))
      }
      return joined(nodes)
    }
    return read()
  }

  #inlineNode(token: Token, read: (close: string) => Inline[]): readonly Inline[] {
    switch (token.type) {
      case 'strong_open':
      case 'em_open':
      case 's_open':
        return [{ kind: INLINE_MARKS[token.type], children: read(token.type.replace('_open', '_close')) }]
      case CUSTOM_EMOJI:
        return [{ kind: 'emoji', name: token.content, text: emojiCode(token.content) }]
      case 'code_inline':
        return [{ kind: 'code', text: token.content }]
      case 'softbreak':
      case 'hardbreak':
        return [{ kind: 'break' }]
      case 'link_open':
        return linkNode(token, asLinkText(read('link_close')))
      default:
        return token.content === '' ? [] : [{ kind: 'text', text: token.content }]
    }
  }
}

/** Inside a link nothing else is clickable, and its text cannot disguise the address. */
const asLinkText = (nodes: readonly Inline[]): readonly Inline[] =>
  nodes.map((node) => {
    if (node.kind === 'text' || node.kind === 'code') return { ...node, text: cleanName(node.text) }
    return node.kind === 'strong' || node.kind === 'em' || node.kind === 'strike'
      ? { ...node, children: asLinkText(node.children) }
      : node
  })

function linkNode(token: Token, children: readonly Inline[]): readonly Inline[] {
  const href = attribute(token, 'href') ?? ''
  if (parseDeepLink(href) !== undefined) return [{ kind: 'link', href, children }]
  const link = safeLink(href)
  if (link === undefined) return children
  const host = hostToShow(link, plainInline(children))
  return [{ kind: 'link', href: link.href, children, host }]
}

/** Joins adjacent text nodes, so that a word is never split between elements. */
function joined(nodes: readonly Inline[]): Inline[] {
  const out: Inline[] = []
  for (const node of nodes) {
    const last = out.at(-1)
    if (node.kind === 'text' && last?.kind === 'text')
      out[out.length - 1] = { kind: 'text', text: last.text + node.text }
    else out.push(node)
  }
  return out
}

/** `[ ] ` and `[x] ` at the start of an item make it a task. */
function asTask(children: readonly Block[]): ListItem {
  const [first, ...rest] = children
  const lead = first?.kind === 'paragraph' ? first.children[0] : undefined
  if (first?.kind !== 'paragraph' || lead?.kind !== 'text') return { children }
  const box = /^\[([ xX])\]\s+/.exec(lead.text)
  if (box === null) return { children }
  const text: Inline = { kind: 'text', text: lead.text.slice(box[0].length) }
  return {
    checked: box[1] !== ' ',
    children: [{ kind: 'paragraph', children: [text, ...first.children.slice(1)] }, ...rest],
  }
}

function attribute(token: Token, name: string): string | undefined {
  const value = token.attrs?.find(([key]) => key === name)?.[1]
  return value === undefined ? undefined : String(value)
}

function startOf(token: Token): number {
  const start = Number(attribute(token, 'start') ?? 1)
  return Number.isSafeInteger(start) ? start : 1
}

function alignOf(token: Token): TableCell['align'] {
  const style = attribute(token, 'style') ?? ''
  if (style.includes('center')) return 'center'
  return style.includes('right') ? 'end' : undefined
}

/** The first word after the fence, if it looks like a language name. */
function languageOf(info: string): string {
  const word = info.trim().split(/\s+/)[0] ?? ''
  return /^[\p{L}\p{N}+#._-]{1,24}$/u.test(word) ? word : ''
}
