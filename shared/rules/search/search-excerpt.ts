import { plainText } from '../messages/plain-text.ts'
import type { SearchPart } from '#shared/domain/search.ts'
import { stretchesOf, type SearchField, type Stretch } from './search-match.ts'
import type { Term } from './search-query.ts'

const EXCERPT_LENGTH = 240
/** What stands before the first emphasised word. */
const LEAD = 60

type Terms = readonly Pick<Term, 'words' | 'prefix' | 'exclude'>[]

/** What a list shows of the fields of a hit: the text always, the others when something was found in them. */
export function partsOf(fields: readonly SearchField[], terms: Terms): SearchPart[] {
  return fields.map(withoutSigns).flatMap((field) => {
    const stretches = stretchesOf(field.text, terms)
    return field.kind === 'text' || stretches.length > 0 ? [partOf(field, stretches)] : []
  })
}

/** A find is looked for in what is shown, so that its place is right. */
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

/** Shows the first find with some words before it; begins at a word when one begins nearby. */
function beginning(text: string, first: number): number {
  if (first <= EXCERPT_LENGTH - LEAD) return 0
  const from = first - LEAD
  const space = text.indexOf(' ', from)
  return space >= 0 && space < first ? space + 1 : whole(text, from)
}

/** Never in the middle of a character of two units. */
function whole(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
}
