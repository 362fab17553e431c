import { createHash } from 'node:crypto'
import { safeLink } from '#shared/rules/markdown/safe-link.ts'
import { pointText } from '#shared/rules/locations/locations.ts'
import type { Block, Inline } from '#shared/domain/message.ts'
import { parseMessage } from '#shared/rules/markdown/parse.ts'
import type { Mentionable } from '#shared/rules/messages/mentions.ts'
import { cleaned, cleanName, shownText } from '#shared/lib/clean-text.ts'
import { quotedText } from './markdown-writer.ts'
import {
  dayKey,
  type Exported,
  type ExportWords,
  type ExportWriter,
  iso,
  notIncluded,
  periodText,
  reactionText,
} from './writer.ts'

/** The style of an exported page: light and dark by the system, for a narrow window, and for paper. Loads nothing. */
const PAGE_STYLE = `
:root { color-scheme: light dark; --ground: #fbfaf8; --card: #ffffff; --text: #24211d; --muted: #67615a;
  --line: #e2ddd5; --soft: #f1eee9; --accent: #2f6f5e; --mark: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --ground: #1b1a18; --card: #242220; --text: #ece8e1; --muted: #a8a198;
  --line: #3a3733; --soft: #2d2a27; --accent: #7cc4ae; --mark: #e0b050; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 32px 16px 56px; background: var(--ground); color: var(--text);
  font: 15px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Ubuntu", "Cantarell", "Noto Sans", "DejaVu Sans",
  sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji"; overflow-wrap: anywhere; }
main, header { max-width: 760px; margin: 0 auto; }
header { padding-bottom: 16px; border-bottom: 1px solid var(--line); }
h1 { margin: 0 0 4px; font-size: 28px; line-height: 34px; letter-spacing: -0.011em; }
header p { margin: 4px 0 0; color: var(--muted); }
header .note { color: var(--mark); }
header .topic { color: var(--text); }
h2 { position: sticky; top: 0; margin: 32px 0 8px; padding: 6px 0; background: var(--ground); font-size: 13px;
  font-weight: 600; color: var(--muted); border-bottom: 1px solid var(--line); }
article { display: grid; grid-template-columns: 36px minmax(0, 1fr); column-gap: 12px; padding: 10px 0 0; }
article.more { padding-top: 2px; }
article:target { background: var(--soft); outline: 2px solid var(--accent); outline-offset: 4px; border-radius: 6px; }
.portrait { width: 36px; height: 36px; border-radius: 50% 50% 32% 32%; overflow: hidden; background: var(--soft);
  color: var(--muted); font-size: 14px; font-weight: 600; line-height: 36px; text-align: center; }
.store { position: absolute; width: 0; height: 0; }
.body { grid-column: 2; min-width: 0; }
.head { display: flex; flex-wrap: wrap; column-gap: 8px; align-items: baseline; }
.head b { font-weight: 600; }
.head, time, .marks { line-height: 20px; }
time, .marks { font-size: 12px; color: var(--muted); }
.system .body, .gone { color: var(--muted); font-style: italic; }
.text p, .text ul, .text ol, .text pre, .text blockquote, .text table { margin: 0 0 6px; }
.text > :last-child { margin-bottom: 0; }
.text .heading { font-weight: 600; }
ul, ol { padding-inline-start: 24px; }
li.task { list-style: none; margin-inline-start: -20px; }
a { color: var(--accent); }
.host { color: var(--muted); font-size: 12px; }
.mention { font-weight: 600; color: var(--accent); }
code { padding: 1px 4px; border-radius: 4px; background: var(--soft); font-size: 13px;
  font-family: ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", Consolas, monospace; }
pre { padding: 10px 12px; border-radius: 8px; background: var(--soft); white-space: pre-wrap; }
pre code { padding: 0; background: none; }
blockquote { margin: 0; padding: 0 0 0 12px; border-inline-start: 3px solid var(--line); }
.quote { display: block; margin: 2px 0 4px; padding: 2px 0 2px 12px; border-inline-start: 3px solid var(--line);
  color: var(--muted); font-size: 14px; text-decoration: none; }
.quote b { color: var(--text); font-weight: 600; }
table { border-collapse: collapse; } th, td { padding: 4px 8px; border: 1px solid var(--line); text-align: start; }
.middle { text-align: center; } .end { text-align: end; }
hr { border: 0; border-top: 1px solid var(--line); }
.file { margin: 6px 0 0; }
.file img, .file video { display: block; max-width: min(100%, 420px); max-height: 360px; border-radius: 8px; }
.file audio { display: block; width: min(100%, 420px); }
.card { display: inline-block; max-width: 100%; margin: 6px 0 0; padding: 8px 12px; border: 1px solid var(--line);
  border-radius: 8px; background: var(--card); }
.card p { margin: 4px 0 0; color: var(--muted); }
.card ul { margin: 6px 0 0; padding: 0; list-style: none; min-width: 220px; }
.card li { display: flex; justify-content: space-between; gap: 24px; padding: 3px 0; border-top: 1px solid var(--line); }
.card li span:last-child { flex: none; color: var(--muted); }
.absent { color: var(--muted); }
.reactions { display: flex; flex-wrap: wrap; gap: 4px; margin: 6px 0 0; padding: 0; list-style: none; font-size: 13px; }
.reactions li { padding: 1px 8px; border: 1px solid var(--line); border-radius: 999px; background: var(--card); }
.thread { margin: 6px 0 8px 48px; padding-inline-start: 14px; border-inline-start: 2px solid var(--line); }
.thread h3 { margin: 4px 0 0; font-size: 12px; font-weight: 600; color: var(--muted); }
@media (max-width: 560px) { body { padding: 16px 12px 40px; } .thread { margin-inline-start: 12px; }
  article { column-gap: 8px; } h1 { font-size: 22px; line-height: 28px; } }
@media print { :root { --ground: #ffffff; --card: #ffffff; --text: #000000; --muted: #4a4a4a; --line: #c8c8c8;
  --soft: #f2f2f2; --accent: #1d5c4b; --mark: #6d4600; } body { padding: 0; font-size: 11pt; } h2 { position: static; }
  article { break-inside: avoid; } h2, h3 { break-after: avoid; } .text a::after { content: " (" attr(href) ")"; } }
`

/** Up to the first element of the page. */
const headHtml = (title: string, language: string): string => `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(POLICY)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${nameHtml(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
`

/** Messages of one author within this time stand together under one name. */
const TOGETHER_MS = 5 * 60_000

/**
 * What the page may do, whatever a message got into it: show pictures, sounds and films next to it, and its own style.
 * It runs nothing, sends nothing and loads nothing else.
 */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`,
  "img-src 'self' file: data:",
  "media-src 'self' file:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

type HtmlOptions = {
  readonly at: number
  readonly title: string
  readonly words: ExportWords
  /** Portraits by person, as `data:` addresses: each is once in the page. */
  readonly portraits: ReadonlyMap<string, string>
}

/** One page that can be read without a connection and without Parlor, with replies under their message. */
export function htmlWriter({ at, title, words, portraits }: HtmlOptions): ExportWriter {
  const { text, day } = words
  const numbers = new Map([...portraits.keys()].map((userId, index) => [userId, index]))
  let shownDay = ''
  let isInThread = false
  let last: { readonly userId: string; readonly at: number } | undefined
  const portraitOf = (userId: string, author: string): string => {
    const number = numbers.get(userId)
    if (number !== undefined)
      return `<svg class="portrait" viewBox="0 0 36 36" aria-hidden="true"><use href="#portrait-${number}"/></svg>`
    return `<span class="portrait" aria-hidden="true">${nameHtml(Array.from(author.trim())[0] ?? '')}</span>`
  }
  return {
    *begin() {
      yield headHtml(title, words.language)
      if (portraits.size === 0) return
      yield '<svg class="store" aria-hidden="true"><defs>\n'
      for (const [userId, address] of portraits)
        yield `<image id="portrait-${numbers.get(userId)}" width="36" height="36" preserveAspectRatio="xMidYMid slice" href="${escapeHtml(address)}"/>\n`
      yield '</defs></svg>\n'
    },
    channel({ name, channel, span, missingBefore }) {
      shownDay = ''
      last = undefined
      const topic = channel.topic ?? ''
      const note = missingBefore === undefined ? '' : text('missingBefore', { date: day(missingBefore) })
      return `<header>
<h1 dir="auto">${nameHtml(name)}</h1>
${topic === '' ? '' : `<p class="topic" dir="auto">${nameHtml(topic)}</p>\n`}<p>${escapeHtml(`${text('exported', { date: day(at) })} ${periodText(span, words)}`)}</p>
${note === '' ? '' : `<p class="note">${escapeHtml(note)}</p>\n`}</header>
<main>
`
    },
    message(exported) {
      const { message, author } = exported
      const isUnsure = message.timeUnsure === true
      const key = isUnsure ? '?' : dayKey(message.createdAt)
      const isNewDay = !isInThread && key !== shownDay
      const heading = isNewDay ? `<h2>${escapeHtml(isUnsure ? text('noTime') : day(message.createdAt))}</h2>\n` : ''
      if (!isInThread) shownDay = key
      const isPlain = message.type !== 'system'
      const isMore =
        !isNewDay &&
        isPlain &&
        last?.userId === message.userId &&
        Math.abs(message.createdAt - last.at) < TOGETHER_MS &&
        exported.quote === undefined
      last = isPlain ? { userId: message.userId, at: message.createdAt } : undefined
      const { marks, when } = factsOf(exported, isInThread, words)
      const name = isMore ? '' : `<b dir="auto">${nameHtml(author)}</b>`
      const classes = [isMore ? 'more' : '', isPlain ? '' : 'system'].filter((each) => each !== '').join(' ')
      const open = `<article id="${anchorOf(message.id)}"${classes === '' ? '' : ` class="${classes}"`}>`
      const side = isMore || !isPlain ? '' : portraitOf(message.userId, author)
      return `${heading}${open}${side}<div class="body"><div class="head">${name}${when}${marks}</div>${bodyHtml(exported, words)}</div></article>\n`
    },
    beginThread() {
      isInThread = true
      last = undefined
      return `<section class="thread"><h3>${escapeHtml(text('thread'))}</h3>\n`
    },
    endThread() {
      isInThread = false
      last = undefined
      return '</section>\n'
    },
    endOfChannel: () => '</main>\n',
    end: () => '</body>\n</html>\n',
  }
}

/** When a message was written, and what is special about it. */
function factsOf(
  { message }: Exported,
  isInThread: boolean,
  { text, day, time }: ExportWords,
): { readonly marks: string; readonly when: string } {
  const isEdited = message.editedAt !== undefined && message.type !== 'deleted'
  const marks = [
    isEdited ? text('edited') : undefined,
    message.pinned ? text('pinned') : undefined,
    message.parentId === undefined || isInThread ? undefined : text('replyElsewhere'),
  ].filter((mark) => mark !== undefined)
  const at = message.createdAt
  const words = isInThread ? `${day(at)}, ${time(at)}` : time(at)
  return {
    marks: marks.length === 0 ? '' : `<span class="marks">${escapeHtml(marks.join(', '))}</span>`,
    when:
      message.timeUnsure === true
        ? `<time>${escapeHtml(text('noTime'))}</time>`
        : `<time datetime="${iso(at)}">${escapeHtml(words)}</time>`,
  }
}

const anchorOf = (id: string): string => escapeHtml(`m-${encodeURIComponent(id)}`)

function bodyHtml(exported: Exported, words: ExportWords): string {
  const { message, quote, poll, files, mentioned } = exported
  if (message.type === 'deleted') return `<div class="gone">${escapeHtml(words.text('deleted'))}</div>`
  const parts = [
    quote === undefined ? '' : quoteHtml(quote, words),
    message.text === '' ? '' : `<div class="text">${textHtml(message.text, mentioned)}</div>`,
    poll === undefined ? '' : pollHtml(poll, words),
    message.location === undefined
      ? ''
      : `<div class="card">${escapeHtml(words.text('location', { point: pointText(message.location) }))}</div>`,
    ...files.map((each) => fileHtml(each, words)),
    message.reactions.length === 0 ? '' : reactionsHtml(message.reactions),
  ]
  return parts.join('')
}

function quoteHtml(quote: NonNullable<Exported['quote']>, words: ExportWords): string {
  const inside = `<b dir="auto">${nameHtml(quote.author)}</b> <span dir="auto">${escapeHtml(quotedText(quote, words))}</span>`
  if (quote.id === undefined) return `<div class="quote">${inside}</div>`
  // The name of an anchor is compared as it is written, then decoded: its own percent signs are encoded once more.
  return `<a class="quote" href="#${escapeHtml(encodeURIComponent(`m-${encodeURIComponent(quote.id)}`))}">${inside}</a>`
}

function pollHtml(poll: NonNullable<Exported['poll']>, { text }: ExportWords): string {
  const kind = poll.closed ? `${text('poll')}, ${text('closed')}` : text('poll')
  const options = poll.options.map(
    (option) =>
      `<li><span dir="auto">${escapeHtml(option.text)}</span><span>${escapeHtml(text('votes', { count: option.votes }))}</span></li>`,
  )
  const about = poll.description === '' ? '' : `<p dir="auto">${escapeHtml(poll.description)}</p>`
  return `<div class="card"><b dir="auto">${escapeHtml(poll.name)}</b> <span class="marks">${escapeHtml(kind)}</span>${about}<ul>${options.join('')}</ul></div>`
}

function fileHtml({ attachment, file }: Exported['files'][number], words: ExportWords): string {
  const { kind, title, alt = '', text = '', linkUrl = '' } = attachment
  const link = kind === 'link' ? safeLink(linkUrl) : undefined
  if (link !== undefined) {
    const about = text === '' ? '' : `<p dir="auto">${escapeHtml(text)}</p>`
    return `<div class="card"><a href="${escapeHtml(link.href)}" rel="noopener noreferrer" dir="auto">${nameHtml(title ?? link.href)}</a>${about}</div>`
  }
  if (file === undefined) return `<div class="card absent" dir="auto">${nameHtml(notIncluded(attachment, words))}</div>`
  const name = title ?? words.text(`contents.${kind}`)
  const address = escapeHtml(file.path.split('/').map(encodeURIComponent).join('/'))
  if (!file.opens)
    return `<div class="card" dir="auto">${nameHtml(name)} <span class="marks">${nameHtml(file.path)}</span></div>`
  if (file.mimeType.startsWith('image/'))
    return `<div class="file"><a href="${address}"><img src="${address}" alt="${nameHtml(alt === '' ? name : alt)}" loading="lazy"></a></div>`
  if (file.mimeType.startsWith('video/'))
    return `<div class="file"><video src="${address}" controls preload="metadata" aria-label="${nameHtml(name)}"></video></div>`
  if (file.mimeType.startsWith('audio/'))
    return `<div class="file"><audio src="${address}" controls preload="none" aria-label="${nameHtml(name)}"></audio></div>`
  return `<div class="card" dir="auto"><a href="${address}">${nameHtml(name)}</a></div>`
}

const reactionsHtml = (reactions: Exported['message']['reactions']): string =>
  `<ul class="reactions">${reactions.map(({ type, count }) => `<li>${escapeHtml(reactionText(type))} ${count}</li>`).join('')}</ul>`

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
const nameHtml = (name: string): string => escapeHtml(cleanName(name))

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
