type Pasted = {
  readonly plain: string
  readonly html: string
  /** What an editor adds about the copied text, as VS Code does: JSON with the language. */
  readonly editor: string
}

/**
 * Text to insert for a paste. `first` is inserted and then replaced by `second`, each a step of the native undo, so that
 * one undo leaves the plain text.
 */
export type PasteTexts = { readonly first: string; readonly second?: string }

/** `undefined` leaves the paste to the browser. */
export function pasteText({ plain, html, editor }: Pasted): PasteTexts | undefined {
  const text = plain.replace(/\r\n?/gu, '\n')
  const language = languageOf(editor)
  if (language !== undefined && text.trimEnd().includes('\n')) return asCode(text, language)
  if (looksLikeCode(text)) return asCode(text)
  if (html === '' || editor !== '') return undefined
  const markdown = htmlToMarkdown(html)
  if (markdown === '' || bare(markdown) === bare(text)) return undefined
  return text === '' ? { first: markdown } : { first: text, second: markdown }
}

const asCode = (text: string, language?: string): PasteTexts => ({
  first: text,
  second: fenced(text.replace(/\n+$/u, ''), language),
})

function languageOf(editor: string): string | undefined {
  const mode = /"mode"\s*:\s*"([\w+#-]+)"/u.exec(editor)?.[1]
  return mode === 'plaintext' || mode === 'markdown' ? undefined : mode
}

/** Text without escapes and extra spaces. If it is equal for both, the Markdown adds nothing. */
const bare = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .replace(/\\(?=[*`_~#>+-])|\\(?=\.)/gu, '')
    .trim()

/** Shorter snippets are left as text. */
const MIN_LINES = 3
/** Share of the lines that must look like code. */
const CODE_SHARE = 0.5

const CODE_PATTERNS: readonly RegExp[] = [
  /[;{}]\s*$/u,
  /^\s*(?:import|export|from|const|let|var|function|class|def|return|if|else|elif|for|while|switch|case|try|catch|public|private|static|fn|struct|package|#include|SELECT|INSERT|UPDATE|FROM|WHERE)\b.*[(){}:;='",]/u,
  /^\s*(?:\/\/|\/\*|\*\/)/u,
  /^\s+\S.*[=(){}[\];]/u,
  /^\s*<\/?[a-z][^>]*>\s*$/iu,
  /^\s*[\w.$]+\s*(?:=|:=|\+=|=>)\s*\S/u,
  /^\s*"[^"]+"\s*:/u,
  /^\s*[\w.$]+\([^)]*\)\s*[;{]?\s*$/u,
  /^\s*(?:\$|>>>) \S/u,
]

/** Whether most of several lines look like source code. Lists and quotes do not. */
function looksLikeCode(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length < MIN_LINES || text.includes('```')) return false
  const matching = lines.filter((line) => CODE_PATTERNS.some((pattern) => pattern.test(line))).length
  return matching / lines.length >= CODE_SHARE
}

/** A node of a copied page: text, or an element with its children. */
type HtmlNode = string | HtmlElement
type HtmlElement = {
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
function readHtml(html: string): HtmlElement {
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

/** Converts copied HTML to Markdown as a person would type it. */
export function htmlToMarkdown(html: string): string {
  return blocksOf(readHtml(html).children)
    .replaceAll('\u00a0', ' ')
    .replace(/[ \t]+$/gmu, '')
    .replace(/\n{3,}/gu, '\n\n')
    .trim()
}

const BLOCKS = new Set(
  'p div section article main header footer aside nav h1 h2 h3 h4 h5 h6 ul ol li blockquote pre table hr dl dt dd figure figcaption form address'.split(
    ' ',
  ),
)
const isBlock = (node: HtmlNode): boolean =>
  typeof node !== 'string' && (BLOCKS.has(node.tag) || node.children.some((child) => isBlock(child)))

/** Adjacent inline nodes form one paragraph; blocks are separate. */
function blocksOf(nodes: readonly HtmlNode[]): string {
  const out: string[] = []
  let line: HtmlNode[] = []
  const endLine = (): void => {
    const text = inlineOf(line)
      .replace(/ *\n */gu, '\n')
      .trim()
    if (text !== '') out.push(escapedLineStarts(text))
    line = []
  }
  for (const node of nodes) {
    if (!isBlock(node)) {
      line.push(node)
      continue
    }
    endLine()
    const block = blockOf(node as HtmlElement)
    if (block.trim() !== '') out.push(block)
  }
  endLine()
  return out.join('\n\n')
}

function blockOf(element: HtmlElement): string {
  const { tag, children } = element
  switch (tag) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return `${'#'.repeat(Number(tag[1]))} ${oneLine(inlineOf(children))}`
    case 'ul':
    case 'ol':
      return listOf(element)
    case 'blockquote':
      return blocksOf(children)
        .split('\n')
        .map((line) => (line === '' ? '>' : `> ${line}`))
        .join('\n')
    case 'pre':
      return fenceOf(element)
    case 'table':
      return tableOf(element)
    case 'hr':
      return '---'
    default:
      return blocksOf(children)
  }
}

function listOf({ tag, children, attributes }: HtmlElement): string {
  let number = Number(attributes['start'] ?? 1) || 1
  const items: string[] = []
  for (const child of children) {
    if (typeof child === 'string') continue
    // Some programs nest a list directly in a list instead of in its item.
    if (child.tag === 'ul' || child.tag === 'ol') {
      items.push(indented(listOf(child), '  '))
      continue
    }
    const marker = tag === 'ol' ? `${number}. ` : '- '
    number += 1
    const body = blocksOf(child.children).replace(/\n\n(?=\s*(?:[-*]|\d+\.) )/gu, '\n')
    items.push(marker + indented(body, ' '.repeat(marker.length)).trimStart())
  }
  return items.join('\n')
}

const indented = (text: string, by: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : by + line))
    .join('\n')

function fenceOf(element: HtmlElement): string {
  const code = textOf(element).replace(/^\n|\n$/gu, '')
  const inner = element.children.find(
    (child): child is HtmlElement => typeof child !== 'string' && child.tag === 'code',
  )
  const language = /(?:language|lang)-([\w+#-]+)/u.exec(
    `${element.attributes['class'] ?? ''} ${inner?.attributes['class'] ?? ''}`,
  )?.[1]
  return fenced(code, language)
}

/** A code block whose fence is longer than any fence inside. */
function fenced(code: string, language = ''): string {
  const longest = Math.max(2, ...[...code.matchAll(/^`{3,}/gmu)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code}\n${fence}`
}

function tableOf(table: HtmlElement): string {
  const rows = rowsOf(table)
  const width = Math.max(0, ...rows.map((row) => row.length))
  if (width === 0) return ''
  // A table with one column is page layout, not data.
  if (width === 1) return rows.map((row) => row[0] ?? '').join('\n')
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, index) => cells[index] ?? '').join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), line(Array.from({ length: width }, () => '---')), ...body.map(line)].join('\n')
}

function rowsOf(element: HtmlElement): string[][] {
  return element.children.flatMap((child): string[][] => {
    if (typeof child === 'string') return []
    if (child.tag !== 'tr') return child.tag === 'table' ? [] : rowsOf(child)
    const cells = child.children.filter((cell): cell is HtmlElement => typeof cell !== 'string')
    return [cells.map((cell) => oneLine(inlineOf(cell.children)).replaceAll('|', '\\|'))]
  })
}

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim()

function inlineOf(nodes: readonly HtmlNode[]): string {
  return nodes.map(inline).join('').replace(/ {2,}/gu, ' ')
}

function inline(node: HtmlNode): string {
  if (typeof node === 'string') return escaped(node.replace(/[ \t\r\n]+/gu, ' '))
  const { tag, children, attributes } = node
  const style = attributes['style'] ?? ''
  switch (tag) {
    case 'br':
      return '\n'
    case 'img':
      return escaped(attributes['alt'] ?? '')
    case 'code':
    case 'kbd':
    case 'samp':
    case 'tt':
      return codeOf(textOf(node))
    case 'a':
      return linkOf(node)
    case 'b':
    case 'strong':
      // Google Docs wraps everything it copies in a bold element that is not bold.
      return /font-weight:\s*(?:normal|[1-4]00)/iu.test(style) ? inlineOf(children) : wrapped(inlineOf(children), '**')
    case 'i':
    case 'em':
      return wrapped(inlineOf(children), '_')
    case 's':
    case 'del':
    case 'strike':
      return wrapped(inlineOf(children), '~~')
    default:
      return styled(inlineOf(children), style)
  }
}

function styled(text: string, style: string): string {
  const bold = /font-weight:\s*(?:bold|[6-9]00)/iu.test(style) ? wrapped(text, '**') : text
  const italic = /font-style:\s*italic/iu.test(style) ? wrapped(bold, '_') : bold
  return /text-decoration[^;]*line-through/iu.test(style) ? wrapped(italic, '~~') : italic
}

/** Moves spaces at the edges outside the markers, as Markdown requires. */
function wrapped(text: string, marker: string): string {
  const [, before = '', inside = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/u.exec(text) ?? []
  return inside === '' || inside.includes('\n\n') ? text : `${before}${marker}${inside}${marker}${after}`
}

function linkOf({ attributes, children }: HtmlElement): string {
  const address = (attributes['href'] ?? '').trim()
  const text = inlineOf(children)
  if (!/^(?:https?:|mailto:)/iu.test(address) || text.trim() === '') return text
  const shown = oneLine(textOf({ tag: 'a', attributes: {}, children }))
  const bare = address.replace(/^mailto:/iu, '')
  if (shown === address || shown === bare || `${shown}/` === bare) return address.startsWith('mailto:') ? bare : address
  return `[${text.trim()}](${address.replace(/\s/gu, '%20').replaceAll('(', '%28').replaceAll(')', '%29')})`
}

function codeOf(code: string): string {
  if (code.trim() === '') return code
  const ticks = code.includes('`') ? '``' : '`'
  const gap = code.includes('`') ? ' ' : ''
  return `${ticks}${gap}${oneLine(code)}${gap}${ticks}`
}

const textOf = ({ tag, children }: HtmlElement): string =>
  tag === 'br' ? '\n' : children.map((child) => (typeof child === 'string' ? child : blockText(child))).join('')

/** Editors copy each line of code as a separate element. */
const blockText = (element: HtmlElement): string =>
  element.tag === 'div' || element.tag === 'p' ? `${textOf(element)}\n` : textOf(element)

/** Escapes characters that would read as formatting; an underscore inside a word does not. */
const escaped = (text: string): string =>
  text.replace(/[*`]|~~|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, (mark) => `\\${mark}`)

/** Escapes the start of a line that would make it a list, a quote or a heading. */
const escapedLineStarts = (text: string): string =>
  text.replace(/^(\s*)(#{1,6} |> |[-+] |\d+(?=[.)] ))/gmu, (_whole, space: string, mark: string) =>
    /^\d/u.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`,
  )
