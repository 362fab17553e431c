import { isBlank } from '#shared/lib/clean-text.ts'
import { useState } from 'react'
import type { Poll, PollEdit } from '#shared/domain/poll.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { sameOption } from '#shared/rules/polls/poll-form.ts'
import { votesLost } from '#shared/rules/polls/poll-changes.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { editPoll } from '../commands.ts'

/** What happens to an option: it stays, is removed with its votes, or is merged into another (by id). */
export type OptionAction = 'stays' | 'leaves' | `into:${string}`

export type EditRow = {
  readonly id: string
  readonly text: string
  readonly votes: number
  readonly action: OptionAction
}

export type EditForm = ReturnType<typeof useEditForm>

/** Form state for editing a poll that has votes. */
export function useEditForm(poll: Poll, messageId: MessageId) {
  const dispatch = useAppDispatch()
  const [name, setName] = useState(poll.name)
  const [description, setDescription] = useState(poll.description)
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const [actions, setActions] = useState<Readonly<Record<string, OptionAction>>>({})
  const [added, setAdded] = useState('')
  const [working, setWorking] = useState(false)
  const [failure, setFailure] = useState<ErrorBody>()
  const rows = poll.options.map(({ id, text, votes }): EditRow => {
    const action = actions[id] ?? 'stays'
    const into = action.startsWith('into:') ? poll.options.find((option) => `into:${option.id}` === action) : undefined
    // The target option was removed in the meantime, so nothing to merge into.
    return {
      id,
      text: texts[id] ?? text,
      votes,
      action: action.startsWith('into:') && into === undefined ? 'stays' : action,
    }
  })
  const edit = editOf(poll, { name, description, rows, added })
  const problem = problemOf({ name, rows, added })
  return {
    name,
    description,
    rows,
    added,
    edit,
    problem,
    lost: votesLost(poll, edit),
    changed: countOf(edit) > 0,
    working,
    failure,
    setName,
    setDescription,
    setAdded,
    rename: (id: string, text: string): void => setTexts({ ...texts, [id]: text }),
    setAction: (id: string, action: OptionAction): void => setActions({ ...actions, [id]: action }),
    submit: async (): Promise<boolean> => {
      if (working || problem !== undefined || countOf(edit) === 0) return false
      setWorking(true)
      const { renamed, merged, removed, added: more, ...asked } = edit
      const parts = { renamed: [...renamed], merged: [...merged], removed: [...removed], added: [...more] }
      const done = await dispatch(editPoll({ messageId, ...asked, ...parts }))
      setWorking(false)
      setFailure(done.ok ? undefined : done.error)
      return done.ok
    },
  }
}

type Written = {
  readonly name: string
  readonly description: string
  readonly rows: readonly EditRow[]
  readonly added: string
}

function editOf(poll: Poll, { name, description, rows, added }: Written): PollEdit {
  const before = new Map(poll.options.map(({ id, text }) => [id, text]))
  return {
    ...(name.trim() === poll.name ? {} : { name: name.trim() }),
    description: description.trim() === poll.description ? undefined : description.trim(),
    renamed: rows.flatMap(({ id, text, action }) =>
      action === 'stays' && text.trim() !== before.get(id) ? [{ id, text: text.trim() }] : [],
    ),
    merged: rows.flatMap(({ id, action }) =>
      action.startsWith('into:') ? [{ id, into: action.slice('into:'.length) }] : [],
    ),
    removed: rows.flatMap(({ id, action }) => (action === 'leaves' ? [id] : [])),
    added: isBlank(added) ? [] : [added.trim()],
  }
}

const countOf = ({ name, description, renamed, merged, removed, added }: PollEdit): number =>
  Number(name !== undefined) +
  Number(description !== undefined) +
  renamed.length +
  merged.length +
  removed.length +
  added.length

/** The first validation error and its option. */
function problemOf({ name, rows, added }: Omit<Written, 'description'>) {
  if (isBlank(name)) return { what: 'questionRequired' } as const
  const left = rows.filter(({ action }) => action === 'stays')
  const seen = new Set<string>()
  for (const { id, text } of left) {
    if (isBlank(text)) return { what: 'optionEmpty', id } as const
    if (seen.has(sameOption(text))) return { what: 'optionExists', id } as const
    seen.add(sameOption(text))
  }
  if (seen.has(sameOption(added))) return { what: 'optionExists', id: 'added' } as const
  return left.length === 0 && isBlank(added) ? ({ what: 'optionMissing' } as const) : undefined
}
