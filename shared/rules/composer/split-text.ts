import { textLength } from '../messages/text.ts'

/** More messages than this at once would flood a channel; a file is better. */
export const MAX_PARTS = 20

/**
 * One of the messages that a long text is split into. `text` is what is sent; the other fields allow joining: the text
 * removed after it, and the code fence lines added at its ends.
 */
export type TextPart = {
  readonly text: string
  readonly after: string
  readonly opened: string
  readonly closed: string
}

/** A code fence that is open at some point of a text: its marker, and its opening line. */
type Fence = { readonly signs: string; readonly line: string }

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/
/** Where text can be split, best first, and how full a part must be at least. */
const SEAMS: readonly { readonly at: RegExp; readonly least: number }[] = [
  { at: /[ \t]*\n(?:[ \t]*\n)+/g, least: 0.5 },
  { at: /[ \t]*\n/g, least: 0.25 },
  { at: /[ \t]+/g, least: 0 },
]
/** Characters that belong to the one before them, so that an emoji is not separated from its skin tone. */
const BELONGS = /^(?:\p{M}|\p{EMod}|\u{200D})/u

/**
 * Splits text that is too long for one message, in order: between paragraphs, otherwise lines, otherwise words, and
 * inside a word only if it is too long itself. A split code fence is closed and reopened. Each part has at most `max`
 * characters, and {@link joinParts} restores the text exactly, except for whitespace at its ends.
 */
export function splitText(text: string, max: number): readonly TextPart[] {
  const parts: TextPart[] = []
  let rest = text.trimEnd()
  let open: Fence | undefined
  while (rest !== '') {
    const { part, fence, from } = nextPart(rest, max, open)
    const last = parts.at(-1)
    if (part.text.trim() !== '') parts.push({ ...part, after: rest.slice(bodyOf(part).length, from) })
    else if (last) parts.splice(-1, 1, { ...last, after: last.after + rest.slice(0, from) })
    rest = rest.slice(from)
    open = fence
  }
  return parts
}

/** The text of some parts, in order, as it was before splitting. */
export const joinParts = (parts: readonly TextPart[]): string =>
  parts
    .map((part) => bodyOf(part) + part.after)
    .join('')
    .trimEnd()

/** A part that was edited may have lost its added lines: then there is nothing to remove. */
function bodyOf({ text, opened, closed }: Omit<TextPart, 'after'>): string {
  const inner = opened !== '' && text.startsWith(opened) ? text.slice(opened.length) : text
  return closed !== '' && inner.endsWith(closed) ? inner.slice(0, -closed.length) : inner
}

type Next = { readonly part: Omit<TextPart, 'after'>; readonly fence: Fence | undefined; readonly from: number }

function nextPart(rest: string, max: number, open: Fence | undefined): Next {
  const opened = open === undefined ? '' : `${open.line}\n`
  const room = max - textLength(opened)
  if (textLength(rest) <= room) {
    return { part: { text: opened + rest, opened, closed: '' }, fence: undefined, from: rest.length }
  }
  const seam = seamIn(rest, room)
  const fence = fenceAfter(rest.slice(0, seam.to), open, max)
  if (fence === undefined) return partAt(rest, opened, seam, '', undefined)
  const closed = `\n${fence.signs}`
  const inner = beforeFence(rest, seamIn(rest, room - textLength(closed)), open)
  const still = fenceAfter(rest.slice(0, inner.to), open, max)
  return partAt(rest, opened, inner, still === undefined ? '' : closed, still)
}

/** The whitespace between `to` and `from` is removed: two messages are separate already. */
type Seam = { readonly to: number; readonly from: number }

function partAt(rest: string, opened: string, { to, from }: Seam, closed: string, fence: Fence | undefined): Next {
  const part = { text: opened + rest.slice(0, to) + closed, opened, closed }
  const end = fence && endOf(rest.slice(from), fence)
  return end === undefined ? { part, fence, from } : { part, fence: undefined, from: from + end }
}

/** The split position that best fills `room` characters. */
function seamIn(rest: string, room: number): Seam {
  const window = firstOf(rest, room + 1)
  for (const { at, least } of SEAMS) {
    const found = [...window.matchAll(at)]
      .filter(({ index }) => index > 0 && index > window.length * least && textLength(rest.slice(0, index)) <= room)
      .at(-1)
    if (found) return { to: found.index, from: found.index + found[0].length }
  }
  const to = whole(rest, firstOf(rest, room).length)
  return { to, from: to }
}

const firstOf = (text: string, count: number): string =>
  Array.from(text.slice(0, count * 2))
    .slice(0, count)
    .join('')

function whole(text: string, end: number): number {
  let at = end
  while (at > 0 && (BELONGS.test(text.slice(at, at + 2)) || text[at - 1] === '\u{200D}')) {
    at -= (text.codePointAt(at - 2) ?? 0) > 0xffff ? 2 : 1
  }
  return at > 0 ? at : end
}

/** The fence that is open after this text. A fence whose line would fill half a message is ignored. */
function fenceAfter(text: string, open: Fence | undefined, max: number): Fence | undefined {
  let fence = open
  for (const line of text.split('\n')) {
    if (fence !== undefined) {
      if (closes(line, fence)) fence = undefined
      continue
    }
    const [, signs = '', info = ''] = FENCE.exec(line) ?? []
    const begins = signs !== '' && !(signs.startsWith('`') && info.includes('`'))
    if (begins && textLength(line) * 2 < max / 2) fence = { signs, line }
  }
  return fence
}

const closes = (line: string, { signs }: Fence): boolean => {
  const [, written = '', info = ''] = FENCE.exec(line) ?? []
  return written.startsWith(signs) && info.trim() === ''
}

/** Moves the split before the opening line of a fence, which belongs to the code after it. */
function beforeFence(rest: string, seam: Seam, open: Fence | undefined): Seam {
  const start = rest.lastIndexOf('\n', seam.to - 1)
  const line = rest.slice(start + 1, seam.to)
  const isBare = open === undefined && start > 0 && FENCE.test(line) && rest.slice(0, start).trim() !== ''
  return isBare ? { to: start, from: start + 1 } : seam
}

/** Length of a closing fence line at the beginning of the rest: the fence was closed already. */
function endOf(rest: string, fence: Fence): number | undefined {
  const [line = ''] = rest.split('\n', 1)
  if (!closes(line, fence)) return undefined
  return Math.min(rest.length, line.length + 1)
}
