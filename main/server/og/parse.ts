/** The title and meta tags of a page, unchanged. */
export type PageFacts = { readonly title: string | undefined; readonly meta: ReadonlyMap<string, string> }

const MAX_VALUE = 2_000
const MAX_TAGS = 500
const MAX_TAG = 8_192

/**
 * Reads title and meta tags of a head in one pass from tag to tag: no tree, no recursion, no regular expression that
 * could backtrack without bound. Ends with the head. The first value of a name counts.
 */
export function readHead(html: string): PageFacts {
  const meta = new Map<string, string>()
  const lower = html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  let title: string | undefined
  let at = 0
  for (let tags = 0; tags < MAX_TAGS; tags += 1) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    if (html.startsWith('<!--', open)) {
      at = endOf(lower, '-->', open + 4)
      continue
    }
    const close = tagEnd(html, open + 1)
    const tag = html.slice(open + 1, close)
    const name = nameOf(tag)
    at = close + 1
    if (name === '/head' || name === 'body') break
    if (name === 'script' || name === 'style' || name === 'noscript') at = endOf(lower, `</${name}`, at)
    if (name === 'title' && title === undefined) {
      const end = endOf(lower, '</title', at)
      title = decodeText(html.slice(at, Math.min(end, at + MAX_VALUE)).split('<', 1)[0] ?? '')
      at = end
    }
    if (name === 'meta') noteMeta(meta, attributesOf(tag))
  }
  return { title, meta }
}

function nameOf(tag: string): string {
  let end = 0
  while (end < tag.length && !/[\s>]/.test(tag[end] ?? '')) end += 1
  return tag
    .slice(0, end)
    .toLowerCase()
    .replace(/(?<=.)\/$/, '')
}

function endOf(lower: string, mark: string, from: number): number {
  const found = lower.indexOf(mark, from)
  return found < 0 ? lower.length : found
}

/** The `>` that ends a tag: ignoring any inside quotes. */
function tagEnd(html: string, from: number): number {
  let quote = ''
  const limit = Math.min(html.length, from + MAX_TAG)
  for (let at = from; at < limit; at += 1) {
    const char = html[at] ?? ''
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '>') return at
  }
  return limit
}

function noteMeta(meta: Map<string, string>, attributes: ReadonlyMap<string, string>): void {
  const name = (attributes.get('property') ?? attributes.get('name') ?? '').toLowerCase()
  const content = attributes.get('content')
  if (name !== '' && content !== undefined && content !== '' && !meta.has(name)) meta.set(name, content)
}

function attributesOf(tag: string): Map<string, string> {
  const found = new Map<string, string>()
  let at = nameOf(tag).length
  while (at < tag.length) {
    while (at < tag.length && /[\s/]/.test(tag[at] ?? '')) at += 1
    const start = at
    while (at < tag.length && !/[\s=/]/.test(tag[at] ?? '')) at += 1
    const name = tag.slice(start, at).toLowerCase()
    while (at < tag.length && /\s/.test(tag[at] ?? '')) at += 1
    if (tag[at] !== '=') {
      if (at === start) at += 1
      continue
    }
    at += 1
    while (at < tag.length && /\s/.test(tag[at] ?? '')) at += 1
    const value = valueAt(tag, at)
    at = value.end
    if (name !== '' && !found.has(name)) found.set(name, decodeText(value.text.slice(0, MAX_VALUE)))
  }
  return found
}

function valueAt(tag: string, at: number): { readonly text: string; readonly end: number } {
  const quote = tag[at]
  if (quote === '"' || quote === "'") {
    const close = tag.indexOf(quote, at + 1)
    const end = close < 0 ? tag.length : close
    return { text: tag.slice(at + 1, end), end: end + 1 }
  }
  let end = at
  while (end < tag.length && !/\s/.test(tag[end] ?? '')) end += 1
  return { text: tag.slice(at, end), end }
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function decodeText(text: string): string {
  return text
    .replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, (all, code: string) => {
      if (!code.startsWith('#')) return NAMED[code.toLowerCase()] ?? all
      const point = code[1] === 'x' || code[1] === 'X' ? Number.parseInt(code.slice(2), 16) : Number(code.slice(1))
      return point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : ''
    })
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
}
