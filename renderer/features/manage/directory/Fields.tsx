import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { useRemark, useTexts, useFormats } from '../../../i18n/index.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import styles from './Directory.module.css'
import type { DirectoryPerson, FieldValue } from '#shared/domain/manage/directory.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { isFieldName } from '#shared/lib/field-names.ts'
import { fieldText, typedField } from '#shared/rules/people/people.ts'
import { announce } from '../../../lib/page/announce.ts'
import { focusOnce } from '../../../lib/page/focus.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { changePerson } from './commands.ts'

type Props = {
  readonly label: string
  /** Name of the button that begins. */
  readonly edit: string
  readonly hint?: string
  readonly value: string
  readonly maxLength: number
  readonly required?: boolean
  /** What is said when it is required and empty. */
  readonly missing?: string
  /** Answers why it was not saved. */
  readonly onSave: (text: string) => Promise<ErrorBody | undefined>
  /** What is shown while it is not edited. */
  readonly children: ReactNode
}

/** A value that is changed where it stands. What was typed stays when it is refused. */
export function EditableText(props: Props) {
  const { label, edit, hint, value, maxLength, required = false, missing, onSave, children } = props
  const t = useTexts('directory')
  const [typed, setTyped] = useState<string>()
  const [working, setWorking] = useState(false)
  const formMessage = useRemark((own: 'missing') => missing ?? t(`fields.${own}`))
  const field = useRef<HTMLInputElement>(null)
  const pencil = useRef<HTMLButtonElement>(null)
  const isOpen = typed !== undefined
  const wasOpen = useRef(false)
  useEffect(() => {
    if (isOpen) field.current?.select()
    else if (wasOpen.current) pencil.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const close = (): void => {
    setTyped(undefined)
    formMessage.clear()
  }
  const save = async (): Promise<void> => {
    if (typed === undefined || working) return
    const text = typed.trim()
    if (text === value) return close()
    if (required && isBlank(text)) return formMessage.show('missing')
    setWorking(true)
    const refused = await onSave(text)
    setWorking(false)
    if (refused === undefined) close()
    else formMessage.refuse(refused)
  }
  if (typed === undefined) {
    return (
      <span className={styles['editable']}>
        {children}
        <IconButton ref={pencil} icon="pencil" size="tiny" label={edit} onClick={() => setTyped(value)} />
      </span>
    )
  }
  return (
    <EditingForm working={working} onSave={save} onLeave={close}>
      <TextField
        ref={field}
        label={label}
        hint={hint}
        value={typed}
        maxLength={maxLength}
        autoComplete="off"
        error={formMessage.text}
        onChange={(text) => {
          setTyped(text)
          formMessage.clear()
        }}
      />
    </EditingForm>
  )
}

type EditingFormProps = {
  readonly working: boolean
  readonly onSave: () => Promise<void>
  readonly onLeave: () => void
  readonly children: ReactNode
}

/** Around what is changed in place: Enter saves it, Escape leaves it. */
function EditingForm({ working, onSave, onLeave, children }: EditingFormProps) {
  const t = useTexts('directory')
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onLeave()
  }
  return (
    <form
      className={styles['editing']}
      onSubmit={(event) => {
        event.preventDefault()
        void onSave()
      }}
      onKeyDown={onKeyDown}
    >
      {children}
      <span className={styles['buttons']}>
        <Button type="submit" size="small" variant="primary" working={working}>
          {t('fields.save')}
        </Button>
        <Button size="small" onClick={onLeave}>
          {t('fields.cancel')}
        </Button>
      </span>
    </form>
  )
}

type Row = { readonly key: number; readonly name: string; readonly text: string; readonly before?: FieldValue }

const MAX_TEXT = 5_000

/** The custom fields of a person: read, or all changed together. */
export function FieldsEditor({ person }: { readonly person: DirectoryPerson }) {
  const t = useTexts('directory')
  const formats = useFormats()
  const names = Object.keys(person.fields).toSorted(formats.compare)
  const [editing, setEditing] = useState<{ readonly rows: readonly Row[]; readonly known: readonly string[] }>()
  const button = useRef<HTMLButtonElement>(null)
  const isOpen = editing !== undefined
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const begin = (): void => {
    const rows = names.map((name, key) => ({
      key,
      name,
      text: fieldText(person.fields[name]),
      before: person.fields[name],
    }))
    setEditing({ rows: rows.length === 0 ? [{ key: 0, name: '', text: '' }] : rows, known: names })
  }
  return (
    <div className={styles['part']}>
      <h3>{t('custom.title')}</h3>
      {editing !== undefined ? (
        <Editing
          userId={person.id}
          {...editing}
          onRows={(rows) => setEditing({ ...editing, rows })}
          onDone={() => setEditing(undefined)}
        />
      ) : (
        <>
          {names.length === 0 ? (
            <p className={styles['hint']}>{t('custom.none')}</p>
          ) : (
            <dl className={styles['customs']}>
              {names.map((name) => (
                <div key={name} className={styles['custom']}>
                  <dt>
                    <code>{name}</code>
                  </dt>
                  <dd>
                    <bdi>{fieldText(person.fields[name])}</bdi>
                  </dd>
                </div>
              ))}
            </dl>
          )}
          <Button ref={button} size="small" variant="link" onClick={begin}>
            {names.length === 0 ? t('custom.add') : t('custom.edit')}
          </Button>
        </>
      )}
    </div>
  )
}

type EditingProps = {
  readonly userId: UserId
  readonly rows: readonly Row[]
  /** Names of the fields that there were when editing began: others were added elsewhere and stay. */
  readonly known: readonly string[]
  readonly onRows: (rows: readonly Row[]) => void
  readonly onDone: () => void
}

function Editing({ userId, rows, known, onRows, onDone }: EditingProps) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const [working, setWorking] = useState(false)
  const formMessage = useRemark((own: 'badName' | 'twice') => t(`custom.${own}`))
  const change = (key: number, to: Partial<Row>): void => {
    formMessage.clear()
    onRows(rows.map((row) => (row.key === key ? { ...row, ...to } : row)))
  }
  const save = async (): Promise<void> => {
    if (working) return
    const named = rows.filter(({ name }) => name !== '')
    if (named.some(({ name, before }) => before === undefined && !isFieldName(name))) return formMessage.show('badName')
    if (new Set(named.map(({ name }) => name)).size < named.length) return formMessage.show('twice')
    const changed = named.filter(({ text, before }) => before === undefined || text !== fieldText(before))
    const fields = Object.fromEntries(changed.map(({ name, text, before }) => [name, typedField(text, before)]))
    const stay = new Set(named.map(({ name }) => name))
    const removeFields = known.filter((name) => !stay.has(name))
    if (changed.length + removeFields.length === 0) return onDone()
    setWorking(true)
    const saved = await dispatch(changePerson({ userId, fields, removeFields }))
    setWorking(false)
    if (!saved.ok) return formMessage.refuse(saved.error)
    announce(t('saved'))
    onDone()
  }
  return (
    <EditingForm working={working} onSave={save} onLeave={onDone}>
      {rows.map((row, index) => (
        <Field
          key={row.key}
          row={row}
          isFirst={index === 0}
          onChange={(to) => change(row.key, to)}
          onRemove={() => onRows(rows.filter(({ key }) => key !== row.key))}
        />
      ))}
      <Button
        size="small"
        icon="plus"
        onClick={() => onRows([...rows, { key: 1 + Math.max(-1, ...rows.map(({ key }) => key)), name: '', text: '' }])}
      >
        {t('custom.add')}
      </Button>
      <Refusal text={formMessage.text} />
    </EditingForm>
  )
}

type FieldProps = {
  readonly row: Row
  readonly isFirst: boolean
  readonly onChange: (to: Partial<Row>) => void
  readonly onRemove: () => void
}

function Field({ row: { name, text, before }, isFirst, onChange, onRemove }: FieldProps) {
  const t = useTexts('directory')
  const isNew = before === undefined
  return (
    <div className={styles['fieldRow']}>
      <TextField
        ref={isFirst && isNew ? focusOnce : undefined}
        label={t('custom.name')}
        mono
        value={name}
        readOnly={!isNew}
        maxLength={64}
        autoComplete="off"
        onChange={(next) => onChange({ name: next.trim() })}
      />
      <TextField
        ref={isFirst && !isNew ? focusOnce : undefined}
        label={t('custom.value')}
        value={text}
        maxLength={MAX_TEXT}
        autoComplete="off"
        onChange={(next) => onChange({ text: next })}
      />
      <IconButton icon="trash" size="small" label={t('custom.remove', { name })} onClick={onRemove} />
    </div>
  )
}
