import type { Snippet } from '../../domain/settings.ts'
import { fold } from '../search/search-fold.ts'

/** Limits of the settings' schema. */
export const MAX_SNIPPETS = 100
export const SNIPPET_LENGTH = 4_000
const NAME = /^[^\s;]{1,40}$/u

/** Why a snippet cannot be saved under this name; `before` is the name of the snippet being changed. */
export function snippetFault(
  snippets: readonly Snippet[],
  { name, text }: Snippet,
  before?: string,
): 'name' | 'taken' | 'text' | 'full' | undefined {
  if (!NAME.test(name)) return 'name'
  if (snippets.some((each) => each.name !== before && fold(each.name) === fold(name))) return 'taken'
  if (text.trim() === '') return 'text'
  return before === undefined && snippets.length >= MAX_SNIPPETS ? 'full' : undefined
}

/** Replaces the snippet named `before`, or adds it. The display order depends on the language. */
export const withSnippet = (snippets: readonly Snippet[], snippet: Snippet, before?: string): readonly Snippet[] => [
  ...snippets.filter(({ name }) => name !== before),
  snippet,
]

/** Sorted by name. */
export const snippetsByName = (
  snippets: readonly Snippet[],
  compare: (a: string, b: string) => number,
): readonly Snippet[] => snippets.toSorted((a, b) => compare(a.name, b.name))

/** Suggestions for the text after `;;`: by prefix of the name, then by substring of the name, then by text. */
export function matchSnippets(
  snippets: readonly Snippet[],
  query: string,
  compare: (a: string, b: string) => number,
): readonly Snippet[] {
  const wanted = fold(query)
  const rank = ({ name, text }: Snippet): number => {
    const at = fold(name).indexOf(wanted)
    if (at >= 0) return Math.min(at, 1)
    return fold(text).includes(wanted) ? 2 : 3
  }
  const found = snippets.filter((each) => rank(each) < 3)
  return snippetsByName(found, compare).toSorted((a, b) => rank(a) - rank(b))
}

type SnippetValues = Readonly<Record<'me' | 'name' | 'date' | 'time', string>>

/** The text with known placeholders filled in; other braces are unchanged. */
export const filledSnippet = (text: string, values: SnippetValues): string =>
  text.replaceAll(/\{(me|name|date|time)\}/gu, (_whole, key: keyof SnippetValues) => values[key])
