/** A node of a copied page: text, or an element with its children. */
export type HtmlNode = string | HtmlElement
export type HtmlElement = {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: HtmlNode[]
}

/** Elements nested deeper become siblings; real pages do not nest this deep. */
const MAX_DEPTH = 60
const VOID = new Set(['br', 'hr', 'img', 'input', 'meta', 'link', 'col', 'wbr', 'source', 'area', 'base'])
/** Elements whose content is not text. */
const RAW = new Set(['script', 'style', 'title', 'template', 'noscript', 'svg', 'object', 'iframe'])
/** Open elements that a new one closes, where HTML lets their end tags be omitted. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  li: ['li'],
  tr: ['td', 'th', 'tr'],
  td: ['td', 'th'],
  th: ['td', 'th'],
  tbody: ['td', 'th', 'tr', 'thead'],
  p: ['p'],
}
const FENCES = new Set(['ul', 'ol', 'table'])

/**
 * Parses copied HTML. Written by hand, because the page's policy (`trusted-types 'none'`) forbids the browser's own
 * parser; HTML from a clipboard is well-formed or close to it.
 */
export function readHtml(html: string): HtmlElement {
  const root: HtmlElement = { tag: '#root', attributes: {}, children: [] }
  const open: HtmlElement[] = [root]
  const top = (): HtmlElement => open.at(-1) ?? root
  const token = /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*>|<(\/?)([a-z][\w:-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>|[^<]+|</giu
  let raw: string | undefined
  for (const [whole, slash, name, rest = ''] of html.matchAll(token)) {
    const tag = name?.toLowerCase()
    if (raw !== undefined) {
      if (slash === '/' && tag === raw) raw = undefined
    } else if (tag === undefined) {
      if (!whole.startsWith('<') || whole === '<') top().children.push(decodeEntities(whole))
    } else if (slash === '/') {
      const at = open.findLastIndex((each) => each.tag === tag)
      if (at > 0) open.length = at
    } else if (RAW.has(tag)) {
      if (!rest.endsWith('/')) raw = tag
    } else {
      endOpen(open, tag)
      const element = { tag, attributes: attributesOf(rest), children: [] }
      top().children.push(element)
      if (!VOID.has(tag) && !rest.endsWith('/') && open.length < MAX_DEPTH) open.push(element)
    }
  }
  return root
}

function endOpen(open: HtmlElement[], tag: string): void {
  const ended = ENDS[tag]
  if (ended === undefined) return
  for (let at = open.length - 1; at > 0; at -= 1) {
    const each = open[at]?.tag ?? ''
    if (ended.includes(each)) open.length = at
    else if (FENCES.has(each)) return
  }
}

function attributesOf(text: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [, name = '', double, single, bare] of text.matchAll(
    /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gu,
  )) {
    found[name.toLowerCase()] ??= decodeEntities(double ?? single ?? bare ?? '')
  }
  return found
}

/** Entities that programs write when copying; letters are copied literally. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  shy: '',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  middot: '·',
  laquo: '«',
  raquo: '»',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  copy: '©',
  reg: '®',
  trade: '™',
  euro: '€',
  times: '×',
}
const LAST_CODE_POINT = 0x10_ffff

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]+));/giu, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : ''
  })
