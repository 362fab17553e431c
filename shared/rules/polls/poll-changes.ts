import type { PollChange, PollEdit } from '#shared/domain/poll.ts'

type Asked = {
  readonly name: string
  readonly description: string
  readonly options: readonly { readonly id: string; readonly text: string }[]
}

/** Changes that are kept of one poll. */
const CHANGES_KEPT = 20

/** What was asked before and is asked otherwise now; options that were only added change nothing for those who voted. */
export function changesBetween(before: Asked, after: Asked, at: number): PollChange[] {
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

/** With what was noted before, newest first. */
export const withChanges = (known: readonly PollChange[] = [], fresh: readonly PollChange[]): readonly PollChange[] =>
  fresh.length === 0 ? known : [...fresh, ...known].slice(0, CHANGES_KEPT)

/** Votes that leave with the options an edit takes out. */
export const votesLost = (
  { options }: { readonly options: readonly { readonly id: string; readonly votes: number }[] },
  { removed }: Pick<PollEdit, 'removed'>,
): number => options.reduce((sum, { id, votes }) => sum + (removed.includes(id) ? votes : 0), 0)
