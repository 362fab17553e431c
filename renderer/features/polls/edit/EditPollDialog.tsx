import { useState } from 'react'
import type { Poll, PollEdit, PollChange } from '#shared/domain/poll.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { changesBetween, votesLost } from '#shared/rules/polls/polls.ts'
import { shownText, isBlank } from '#shared/lib/clean-text.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { sameOption } from '#shared/rules/polls/poll-form.ts'
import { useErrorText, useTexts, useFormats } from '../../../i18n/index.ts'
import { useConnection, useAppDispatch } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { Select } from '../../../ui/Choice/Choice.tsx'
import { TextArea, TextField } from '../../../ui/Field/TextField.tsx'
import { useMinute } from '../../../lib/time/clocks.ts'
import { editPoll } from '../commands.ts'
import styles from '../Dialogs.module.css'

const OPTION_LENGTH = 500

type Props = { readonly poll: Poll; readonly messageId: MessageId; readonly onClose: () => void }

/** Edits a poll with votes. The changes and lost votes are listed before saving. */
export function EditPollDialog({ poll, messageId, onClose }: Props) {
  const t = useTexts('polls')
  const errorText = useErrorText()
  const { offline } = useConnection()
  const it = useEditForm(poll, messageId)
  const submit = async (): Promise<void> => {
    if (await it.submit()) onClose()
  }
  const problem = it.problem === undefined ? undefined : t(`form.problems.${it.problem.what}`)
  const disabled = !it.changed || it.problem !== undefined || offline
  return (
    <Dialog
      title={t('edit.title')}
      width={540}
      onClose={onClose}
      onSubmit={() => void submit()}
      hint={
        it.failure === undefined ? (
          offline && t('edit.offline')
        ) : (
          <span className={styles['failure']} role="alert">
            {errorText(it.failure)}
          </span>
        )
      }
      actions={
        <>
          <Button onClick={onClose}>{t('form.cancel')}</Button>
          <Button
            variant={it.lost > 0 ? 'danger' : 'primary'}
            type="submit"
            working={it.working}
            aria-disabled={disabled || undefined}
          >
            {it.lost > 0 ? t('edit.saveLosing', { count: it.lost }) : t('edit.save')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('form.question')}
        value={it.name}
        maxLength={OPTION_LENGTH}
        autoComplete="off"
        onChange={it.setName}
        error={it.problem?.what === 'questionRequired' ? problem : undefined}
      />
      <TextArea
        label={t('form.description')}
        optional={t('form.optional')}
        rows={1}
        maxLength={5_000}
        value={it.description}
        onChange={it.setDescription}
      />
      <Options it={it} problem={problem} />
      <Summary poll={poll} it={it} />
    </Dialog>
  )
}

/** The options of the poll, and one to add. */
function Options({ it, problem }: { readonly it: EditForm; readonly problem: string | undefined }) {
  const t = useTexts('polls')
  return (
    <>
      <ul className={styles['editOptions']} aria-label={t('form.options')}>
        {it.rows.map((row, index) => (
          <Row
            key={row.id}
            it={it}
            row={row}
            number={index + 1}
            error={it.problem?.id === row.id ? problem : undefined}
          />
        ))}
      </ul>
      <TextField
        label={t('addOption')}
        value={it.added}
        maxLength={OPTION_LENGTH}
        autoComplete="off"
        onChange={it.setAdded}
        error={it.problem?.id === 'added' ? problem : undefined}
      />
      {it.problem?.what === 'optionMissing' ? (
        <p className={styles['failure']} role="alert">
          {problem}
        </p>
      ) : null}
    </>
  )
}

type RowProps = {
  readonly it: EditForm
  readonly row: EditRow
  readonly number: number
  readonly error: string | undefined
}

function Row({ it, row, number, error }: RowProps) {
  const t = useTexts('polls')
  const others = it.rows.filter(({ id, action }) => id !== row.id && action === 'stays')
  const choices: readonly { readonly value: OptionAction; readonly label: string }[] = [
    { value: 'stays', label: t('edit.stays') },
    ...others.map(({ id, text }) => ({
      value: `into:${id}` as const,
      label: t('edit.into', { option: shownText(text) }),
    })),
    { value: 'leaves', label: row.votes === 0 ? t('edit.leaves') : t('edit.leavesLosing', { count: row.votes }) },
  ]
  return (
    <li className={styles['editOption']}>
      <TextField
        label={t('form.option', { number })}
        value={row.text}
        maxLength={OPTION_LENGTH}
        autoComplete="off"
        disabled={row.action !== 'stays'}
        onChange={(text) => it.rename(row.id, text)}
        error={error}
        hint={t('votes', { count: row.votes })}
      />
      <Select
        label={t('edit.optionAction', { option: shownText(row.text) })}
        value={row.action}
        choices={choices}
        onChange={(action) => it.setAction(row.id, action)}
      />
    </li>
  )
}

/** The changes as everyone will see them. */
function Summary({ poll, it }: { readonly poll: Poll; readonly it: EditForm }) {
  const t = useTexts('polls')
  if (!it.changed) return null
  const left = changesBetween(poll, editedPoll(poll, it.edit), 0)
  return (
    <section className={styles['summary']} aria-live="polite">
      <h3>{t('edit.changes')}</h3>
      <ChangeList changes={left} merged={mergedText(poll, it.edit)} added={it.edit.added} />
    </section>
  )
}

/** The poll after the edit, still with merged options, to distinguish them from removed ones. */
function editedPoll(poll: Poll, { name, description, renamed, removed }: PollEdit) {
  const texts = new Map(renamed.map(({ id, text }) => [id, text]))
  return {
    name: name ?? poll.name,
    description: description ?? poll.description,
    options: poll.options.flatMap(({ id, text }) =>
      removed.includes(id) ? [] : [{ id, text: texts.get(id) ?? text }],
    ),
  }
}

const mergedText = (poll: Poll, { merged }: PollEdit) =>
  merged.map(({ id, into }) => ({ option: textIn(poll, id), into: textIn(poll, into) }))

const textIn = ({ options }: Poll, id: string): string => options.find((option) => option.id === id)?.text ?? ''

/** What happens to an option: it stays, is removed with its votes, or is merged into another (by id). */
type OptionAction = 'stays' | 'leaves' | `into:${string}`

type EditRow = {
  readonly id: string
  readonly text: string
  readonly votes: number
  readonly action: OptionAction
}

type EditForm = ReturnType<typeof useEditForm>

/** Form state for editing a poll that has votes. */
function useEditForm(poll: Poll, messageId: MessageId) {
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

/** Changes of a poll since this device first stored it, newest first. */
export function ChangesDialog({
  changes,
  onClose,
}: {
  readonly changes: readonly PollChange[]
  readonly onClose: () => void
}) {
  const t = useTexts('polls')
  return (
    <Dialog title={t('changes.title')} width={480} onClose={onClose}>
      <ChangeList changes={changes} />
      <DialogText muted>{t('changes.seenHere')}</DialogText>
    </Dialog>
  )
}

type ChangesDialogProps = {
  /** A time of 0 is not shown; the change is not saved yet. */
  readonly changes: readonly PollChange[]
  readonly merged?: readonly { readonly option: string; readonly into: string }[]
  readonly added?: readonly string[]
}

/** Changes of a poll as text. */
function ChangeList({ changes, merged = [], added = [] }: ChangesDialogProps) {
  const t = useTexts('polls')
  const formats = useFormats()
  const now = useMinute()
  return (
    <ul className={styles['changes']}>
      {changes.map((change, index) => (
        <li key={index} dir="auto">
          {textOf(t, change)}
          {change.at === 0 ? null : (
            <time className={styles['note']} dateTime={new Date(change.at).toISOString()}>
              {formats.listTime(change.at, now)}
            </time>
          )}
        </li>
      ))}
      {merged.map(({ option, into }) => (
        <li key={option} dir="auto">
          {t('changes.merged', { option: shownText(option), into: shownText(into) })}
        </li>
      ))}
      {added.map((option) => (
        <li key={option} dir="auto">
          {t('changes.added', { option: shownText(option) })}
        </li>
      ))}
    </ul>
  )
}

function textOf(t: ReturnType<typeof useTexts<'polls'>>, change: PollChange): string {
  if (change.what === 'removed') return t('changes.removed', { option: shownText(change.before) })
  const [before, after] = [shownText(change.before), shownText(change.after)]
  if (change.what === 'description' && before === '') return t('changes.described', { after })
  if (change.what === 'description' && after === '') return t('changes.undescribed', { before })
  return t(`changes.${change.what}`, { before, after })
}
