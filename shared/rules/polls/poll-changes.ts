import type { PollChange, PollEdit } from '#shared/domain/poll.ts'

type PollContent = {
  readonly name: string
  readonly description: string
  readonly options: readonly { readonly id: string; readonly text: string }[]
}

/** Maximum stored changes of one poll. */
const CHANGES_KEPT = 20

/** Changes of a poll's texts; added options do not concern those who voted. */
export function changesBetween(before: PollContent, after: PollContent, at: number): PollChange[] {
  const texts = new Map(after.options.map(({ id, text }) => [id, text]))
  const changed = (what: 'question' | 'description', old: string, now: string): PollChange[] =>
    old === now ? [] : [{ what, at, before: old, after: now }]
  return [
    ...changed('question', before.name, after.name),
    ...changed('description', before.description, after.description),
    ...before.options.flatMap(({ id, text }): PollChange[] => {
      const now = texts.get(id)
      if (now === undefined) return [{ what: 'removed', at, before: text }]
      return now === text ? [] : [{ what: 'option', at, before: text, after: now }]
    }),
  ]
}

/** Adds to the earlier changes, newest first. */
export const withChanges = (known: readonly PollChange[] = [], fresh: readonly PollChange[]): readonly PollChange[] =>
  fresh.length === 0 ? known : [...fresh, ...known].slice(0, CHANGES_KEPT)

/** Votes that an edit removes with its options. */
export const votesLost = (
  { options }: { readonly options: readonly { readonly id: string; readonly votes: number }[] },
  { removed }: Pick<PollEdit, 'removed'>,
): number => options.reduce((sum, { id, votes }) => sum + (removed.includes(id) ? votes : 0), 0)
