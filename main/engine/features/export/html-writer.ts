import { createHash } from 'node:crypto'
import { safeLink } from '#shared/rules/markdown/safe-link.ts'
import { pointText } from '#shared/rules/locations/locations.ts'
import { escapeHtml, nameHtml, textHtml } from './html-text.ts'
import { quotedText } from './markdown-writer.ts'
import { PAGE_STYLE } from './page-style.ts'
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
