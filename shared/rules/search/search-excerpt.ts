import { plainText } from '../messages/plain-text.ts'
import type { SearchPart } from '#shared/domain/search.ts'
import { stretchesOf, type SearchField, type Stretch } from './search-match.ts'
import type { Term } from './search-query.ts'

const EXCERPT_LENGTH = 240
/** Characters before the first match. */
const LEAD = 60

type Terms = readonly Pick<Term, 'words' | 'prefix' | 'exclude'>[]

/** The parts of a hit for a list: the text always, the other fields if they contain a match. */
export function partsOf(fields: readonly SearchField[], terms: Terms): SearchPart[] {
  return fields.map(withoutSigns).flatMap((field) => {
    const stretches = stretchesOf(field.text, terms)
    return field.kind === 'text' || stretches.length > 0 ? [partOf(field, stretches)] : []
  })
}

/** Matches are computed on the displayed text, so that offsets are right. */
const withoutSigns = (field: SearchField): SearchField =>
  field.kind === 'text' ? { ...field, text: plainText(field.text) } : field

function partOf({ kind, index, text }: SearchField, stretches: readonly Stretch[]): SearchPart {
  const start = beginning(text, stretches[0]?.[0] ?? 0)
  const end = whole(text, Math.min(text.length, start + EXCERPT_LENGTH))
  const marks = stretches
    .filter(([from, to]) => to > start && from < end)
    .map(([from, to]) => [Math.max(from, start) - start, Math.min(to, end) - start] as const)
  const excerpt = text.slice(start, end).replaceAll(/[\r\n\t]/g, ' ')
  return { kind, index, excerpt, marks, cutBefore: start > 0, cutAfter: end < text.length }
}

/** Starts some characters before the first match, at the beginning of a word if one is nearby. */
function beginning(text: string, first: number): number {
  if (first <= EXCERPT_LENGTH - LEAD) return 0
  const from = first - LEAD
  const space = text.indexOf(' ', from)
  return space >= 0 && space < first ? space + 1 : whole(text, from)
}

/** Never inside a surrogate pair. */
function whole(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
}
