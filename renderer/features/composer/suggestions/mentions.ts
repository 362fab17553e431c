import { FUZZY_DISTANCE, SUGGESTION_PAGE } from '#shared/constants.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { readCommand } from '#shared/rules/composer/commands.ts'
import { distance, fold, foldWithOffsets } from '../../../lib/text/fold.ts'

export type Person = {
  readonly id: UserId
  readonly name: string
  readonly inChannel: boolean
  /** By the viewer. Absent: no. */
  readonly muted?: boolean
}

/** Part of a label; matched parts are drawn in the accent colour. */
export type Part = { readonly text: string; readonly hit: boolean }

export type MentionMatch = {
  readonly person: Person
  readonly name: readonly Part[]
  readonly id: readonly Part[]
}

const NO_MATCH = 99

/**
 * People to offer for what stands after `@`: those of the channel first, then by how well the name fits, then
 * who spoke last, then by name. `speakers`: the newest first.
 */
export function matchPeople(
  people: readonly Person[],
  query: string,
  compare: (a: string, b: string) => number,
  speakers: readonly UserId[] = [],
): readonly MentionMatch[] {
  const wanted = fold(query)
  const spoke = new Map(speakers.map((id, at) => [id, at]))
  const recency = ({ id }: Person): number => spoke.get(id) ?? speakers.length
  return people
    .map((person) => ({ person, rank: rankOf(person, wanted) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted(
      (a, b) =>
        Number(b.person.inChannel) - Number(a.person.inChannel) ||
        a.rank - b.rank ||
        recency(a.person) - recency(b.person) ||
        compare(a.person.name, b.person.name),
    )
    .slice(0, SUGGESTION_PAGE)
    .map(({ person }) => ({ person, name: markHit(person.name, wanted), id: markHit(person.id, wanted) }))
}

/** Whom to offer at all: no one muted, after `/unmute` no one else; a command about people may be about anyone. */
export function offeredIn(text: string, people: readonly Person[]): readonly Person[] {
  const command = readCommand(text)?.name
  if (command !== undefined && command !== 'unmute') return people
  return people.filter(({ muted = false }) => muted === (command === 'unmute'))
}

/** What is written into the text. A trailing space lets the user go on. */
export const mentionText = (person: Person): string => `@${person.name || person.id} `

function rankOf(person: Person, wanted: string): number {
  const name = fold(person.name)
  const id = fold(person.id)
  if (wanted === '' || name.startsWith(wanted)) return 0
  if (fitsQuery(name, wanted)) return 1
  if (id.startsWith(wanted)) return 2
  if (name.includes(wanted)) return 3
  if (id.includes(wanted)) return 4
  return fuzzyRank([...name.split(/\s+/), id], wanted)
}

/** All words but the last equal a word of the name, and the last begins one. */
function fitsQuery(name: string, wanted: string): boolean {
  const text = name.split(/\s+/)
  const asked = wanted.split(/\s+/)
  const last = asked.pop() ?? ''
  return asked.every((word) => text.includes(word)) && text.some((word) => word.startsWith(last))
}

/** A short query must be nearly right: with three letters wrong out of four anything would match. */
function fuzzyRank(text: readonly string[], wanted: string): number {
  const limit = Math.min(FUZZY_DISTANCE, Math.floor(wanted.length / 2))
  if (wanted.length < 3) return NO_MATCH
  const best = Math.min(
    ...text.map((word) =>
      Math.min(distance(word, wanted, limit), distance(word.slice(0, wanted.length), wanted, limit)),
    ),
  )
  return best <= limit ? 5 + best : NO_MATCH
}

function markHit(label: string, wanted: string): readonly Part[] {
  const folded = foldWithOffsets(label)
  const found = wanted === '' ? -1 : folded.text.indexOf(wanted)
  if (found < 0) return [{ text: label, hit: false }]
  const from = folded.at[found] ?? 0
  const to = folded.at[found + wanted.length] ?? label.length
  return [
    { text: label.slice(0, from), hit: false },
    { text: label.slice(from, to), hit: true },
    { text: label.slice(to), hit: false },
  ].filter((part) => part.text !== '')
}

type MentionAt = { readonly id: UserId; readonly from: number; readonly to: number }

/**
 * Where a text names people: at each `@` the longest name or id of a known person that stands there as a whole word.
 * Works for names taken from the list, typed by hand, restored from a draft and kept in an edit alike.
 */
export function mentionsAt(text: string, people: readonly Person[]): readonly MentionAt[] {
  if (!text.includes('@')) return []
  const labels = labelsOf(people)
  const found: MentionAt[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const rest = text.slice(at + 1)
    const hit = labels.find(({ label }) => rest.startsWith(label) && !/^[\p{L}\p{N}_]/u.test(rest.slice(label.length)))
    if (hit) found.push({ id: hit.id, from: at, to: at + 1 + hit.label.length })
  }
  return found
}

export const mentionedIn = (text: string, people: readonly Person[]): readonly UserId[] => [
  ...new Set(mentionsAt(text, people).map(({ id }) => id)),
]

type Label = { readonly id: UserId; readonly label: string }
const known = new WeakMap<readonly Person[], readonly Label[]>()

/** What people may be called, the longest first. Kept while the people are the same: a text is looked through at every key. */
function labelsOf(people: readonly Person[]): readonly Label[] {
  const held = known.get(people)
  if (held !== undefined) return held
  const labels = people
    .flatMap(({ id, name }) => [
      { id, label: name },
      { id, label: id },
    ])
    .filter(({ label }) => label !== '')
    .toSorted((a, b) => b.label.length - a.label.length)
  known.set(people, labels)
  return labels
}

/** The mention that one step of deleting at the caret would tear: it goes as a whole. */
export const tornBy = (
  key: 'Backspace' | 'Delete',
  caret: number,
  text: string,
  people: readonly Person[],
): MentionAt | undefined =>
  mentionsAt(text, people).find(({ from, to }) =>
    key === 'Backspace' ? from < caret && caret <= to : from <= caret && caret < to,
  )
