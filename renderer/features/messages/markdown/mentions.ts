import type { Inline, Mentionable } from './nodes.ts'

/**
 * Cuts a run of text at the mentions of the people the message names. Longest spelling first, so that "@Ola Wiśniewska"
 * is one chip; the first name alone counts too. A mention ends where a word ends.
 */
export function splitMentions(text: string, people: readonly Mentionable[]): readonly Inline[] {
  if (people.length === 0 || !text.includes('@')) return [{ kind: 'text', text }]
  const spellings = people
    .flatMap((person) => spellingsOf(person).map((text) => ({ words: text, person })))
    .toSorted((a, b) => b.words.length - a.words.length)
  const nodes: Inline[] = []
  let from = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const hit =
      at >= from && !isWordAt(text, at - 1)
        ? spellings.find(({ words: label }) => matches(text, at + 1, label))
        : undefined
    if (hit === undefined) continue
    const end = at + 1 + hit.words.length
    if (at > from) nodes.push({ kind: 'text', text: text.slice(from, at) })
    const whom = hit.person.all ? {} : { userId: hit.person.id }
    nodes.push({ kind: 'mention', ...whom, text: text.slice(at, end) })
    from = end
  }
  if (from < text.length || nodes.length === 0) nodes.push({ kind: 'text', text: text.slice(from) })
  return nodes
}

function spellingsOf(person: Mentionable): string[] {
  const first = person.name.split(' ')[0] ?? ''
  return [...new Set([person.name, person.id, first])].filter((text) => text !== '')
}

const matches = (text: string, at: number, label: string): boolean =>
  text.slice(at, at + label.length).toLocaleLowerCase() === label.toLocaleLowerCase() &&
  !isWordAt(text, at + label.length)

const isWordAt = (text: string, index: number): boolean => /[\p{L}\p{N}_]/u.test(text.charAt(index))
