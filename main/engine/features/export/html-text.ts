import type { Block, Inline } from '#shared/domain/blocks.ts'
import { parseMessage } from '#shared/rules/markdown/parse.ts'
import type { Mentionable } from '#shared/rules/markdown/people.ts'
import { cleaned, cleanName, shownText } from '#shared/lib/clean-text.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

/** Text for an element or a quoted attribute of HTML. */
export const escapeHtml = (text: string): string =>
  cleaned(text).replace(/[&<>"'`]/g, (character) => ENTITIES[character] ?? '')

/** A name, for the same: it cannot disguise itself either. */
export const nameHtml = (name: string): string => escapeHtml(cleanName(name))

/** The text of a message as a closed set of elements, as windows show it; nothing of it is taken over as HTML. */
export const textHtml = (text: string, mentioned: readonly Mentionable[]): string =>
  blocksHtml(parseMessage(shownText(text), mentioned))

const blocksHtml = (blocks: readonly Block[]): string => blocks.map(blockHtml).join('')

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p dir="auto">${inlineHtml(block.children)}</p>`
    case 'heading':
      return `<p dir="auto" class="heading">${inlineHtml(block.children)}</p>`
    case 'codeBlock':
      return `<pre dir="ltr"><code>${escapeHtml(block.text)}</code></pre>`
    case 'quote':
      return `<blockquote>${blocksHtml(block.children)}</blockquote>`
    case 'list': {
      const items = block.items.map(({ checked, children }) =>
        checked === undefined
          ? `<li>${blocksHtml(children)}</li>`
          : `<li class="task">${checked ? '☑' : '☐'} ${taskHtml(children)}</li>`,
      )
      return block.ordered ? `<ol start="${block.start}">${items.join('')}</ol>` : `<ul>${items.join('')}</ul>`
    }
    case 'table': {
      const row = (cells: typeof block.head, tag: 'th' | 'td'): string =>
        `<tr>${cells.map(({ align, children }) => `<${tag}${ALIGNS[align ?? 'start']}>${inlineHtml(children)}</${tag}>`).join('')}</tr>`
      return `<table><thead>${row(block.head, 'th')}</thead><tbody>${block.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`
    }
    case 'rule':
      return '<hr>'
  }
}

const ALIGNS = { start: '', center: ' class="middle"', end: ' class="end"' } as const

/** The box and the first line of a task stand side by side. */
const taskHtml = ([first, ...rest]: readonly Block[]): string =>
  first?.kind === 'paragraph'
    ? `<span dir="auto">${inlineHtml(first.children)}</span>${blocksHtml(rest)}`
    : blocksHtml(first === undefined ? rest : [first, ...rest])

const inlineHtml = (nodes: readonly Inline[]): string => nodes.map(nodeHtml).join('')

function nodeHtml(node: Inline): string {
  switch (node.kind) {
    case 'text':
    case 'emoji':
      return escapeHtml(node.text)
    case 'break':
      return '<br>'
    case 'strong':
    case 'em':
      return `<${node.kind}>${inlineHtml(node.children)}</${node.kind}>`
    case 'strike':
      return `<s>${inlineHtml(node.children)}</s>`
    case 'code':
      return `<code>${escapeHtml(node.text)}</code>`
    case 'channel':
    case 'mention':
      return `<span class="mention">${nameHtml(node.text)}</span>`
    case 'link': {
      const host = node.host === undefined ? '' : ` <span class="host">(${escapeHtml(node.host)})</span>`
      return `<a href="${escapeHtml(node.href)}" rel="noopener noreferrer">${inlineHtml(node.children)}</a>${host}`
    }
  }
}
