import { fold } from '../../../lib/text/fold.ts'

type Known = { readonly id: string; readonly name: string }

/** What a pasted list of names and ids comes to. */
type Pasted = {
  readonly found: readonly string[]
  /** No one is called that. */
  readonly unknown: readonly string[]
  /** Several people are. */
  readonly several: readonly string[]
  /** In the channel already. */
  readonly already: readonly string[]
}

/** One a line, or between commas and semicolons; `@` before a name is left out. Ids first, then whole names. */
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
