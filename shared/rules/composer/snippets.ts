import type { Snippet } from '../../domain/settings.ts'
import { fold } from '../search/search-fold.ts'

/** Bounds of the settings' schema. */
export const SNIPPETS_KEPT = 100
export const SNIPPET_LENGTH = 4_000
const NAME = /^[^\s;]{1,40}$/u

/** Why a snippet cannot be kept under this name; `before` is the one that is being changed. */
export function snippetFault(
  snippets: readonly Snippet[],
  { name, text }: Snippet,
  before?: string,
): 'name' | 'taken' | 'text' | 'full' | undefined {
  if (!NAME.test(name)) return 'name'
  if (snippets.some((each) => each.name !== before && fold(each.name) === fold(name))) return 'taken'
  if (text.trim() === '') return 'text'
  return before === undefined && snippets.length >= SNIPPETS_KEPT ? 'full' : undefined
}

/** With this one in the place of the one called `before`, or added. Which order they are shown in depends on the language. */
export const withSnippet = (snippets: readonly Snippet[], snippet: Snippet, before?: string): readonly Snippet[] => [
  ...snippets.filter(({ name }) => name !== before),
  snippet,
]

/** In the order of their names. */
export const snippetsByName = (
  snippets: readonly Snippet[],
  compare: (a: string, b: string) => number,
): readonly Snippet[] => snippets.toSorted((a, b) => compare(a.name, b.name))

/** Snippets for what stands after `;;`: by the beginning of the name, then by its middle, then by their words. */
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

/** The words with everything known filled in; other braces stay as they are. */
export const filledSnippet = (text: string, values: SnippetValues): string =>
  text.replaceAll(/\{(me|name|date|time)\}/gu, (_whole, key: keyof SnippetValues) => values[key])
