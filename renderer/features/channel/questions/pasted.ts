import { fold } from '../../../lib/text/fold.ts'

type Known = { readonly id: string; readonly name: string }

/** The result of parsing a pasted list of names and ids. */
type Pasted = {
  readonly found: readonly string[]
  /** Matches no one. */
  readonly unknown: readonly string[]
  /** Matches several people. */
  readonly several: readonly string[]
  /** Already members. */
  readonly already: readonly string[]
}

/** Separated by line breaks, commas or semicolons; a leading `@` is ignored. Ids match first, then full names. */
export function pastedPeople(text: string, people: readonly Known[], inside: ReadonlySet<string>): Pasted {
  const wanted = [
    ...new Set(
      text
        .split(/[\n,;]+/)
        .map((part) => part.trim().replace(/^@/, ''))
        .filter((part) => part !== ''),
    ),
  ]
  const named = new Map<string, string[]>()
  for (const { id, name } of people) {
    const key = fold(name.trim())
    named.set(key, [...(named.get(key) ?? []), id])
  }
  const ids = new Set(people.map(({ id }) => id))
  const found = new Set<string>()
  const [unknown, several, already]: [string[], string[], string[]] = [[], [], []]
  for (const part of wanted) {
    const matching = ids.has(part) ? [part] : (named.get(fold(part)) ?? [])
    const [only, ...others] = matching
    if (only === undefined) unknown.push(part)
    else if (others.length > 0) several.push(part)
    else if (inside.has(only)) already.push(part)
    else found.add(only)
  }
  return { found: [...found], unknown, several, already }
}
