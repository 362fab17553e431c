import type { Inline, Mentionable } from './nodes.ts'

/**
 * Splits text at mentions of the message's mentioned people. The longest spelling wins, so that "@Ola Wiśniewska" is one
 * mention; a first name alone counts too. A mention must end at a word boundary.
 */
export function splitMentions(text: string, people: readonly Mentionable[]): readonly Inline[] {
  if (people.length === 0 || !text.includes('@')) return [{ kind: 'text', text }]
  const spellings = people
    .flatMap((person) => spellingsOf(person).map((spelling) => ({ spelling, person })))
    .toSorted((a, b) => b.spelling.length - a.spelling.length)
  const nodes: Inline[] = []
  let from = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const hit =
      at >= from && !isWordAt(text, at - 1)
        ? spellings.find(({ spelling }) => matches(text, at + 1, spelling))
        : undefined
    if (hit === undefined) continue
    const end = at + 1 + hit.spelling.length
    if (at > from) nodes.push({ kind: 'text', text: text.slice(from, at) })
    const user = hit.person.all ? {} : { userId: hit.person.id }
    nodes.push({ kind: 'mention', ...user, text: text.slice(at, end) })
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
