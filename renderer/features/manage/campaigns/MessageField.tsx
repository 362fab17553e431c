import { useRef, useState } from 'react'
import { MAX_MESSAGE_LENGTH } from '#shared/constants.ts'
import { fieldKey, fieldsOf, isFieldWritable, writeField, type TemplateField } from '#shared/rules/campaigns/fields.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { TextArea, TextField } from '../../../ui/Field/TextField.tsx'
import { MenuPill } from '../../../ui/Mark/Pill.tsx'
import type { MenuItem } from '../../../ui/Menu/Menu.tsx'
import { FormDialog } from './Dialogs.tsx'
import { KNOWN_FIELDS, useFieldName } from './words.tsx'
import styles from './Campaigns.module.css'

type Props = {
  readonly text: string
  readonly onChange: (text: string) => void
  /** Which fields have a value: without a channel there is no name of it, in a channel for all there is no reader. */
  readonly owners: readonly TemplateField['owner'][]
  readonly error?: string
  readonly hint?: string
}

type Inserting = Pick<TemplateField, 'owner' | 'name'> & { readonly own?: boolean }

/** The text, with a menu of the fields that can stand in it. */
export function MessageField({ text, onChange, owners, error, hint }: Props) {
  const t = useTexts('campaigns')
  const nameOf = useFieldName()
  const field = useRef<HTMLTextAreaElement>(null)
  const [inserting, setInserting] = useState<Inserting>()
  const used = fieldsOf(text)
  const items = (): readonly MenuItem[] =>
    owners.flatMap((owner): readonly MenuItem[] => [
      { kind: 'heading', id: owner, content: t(`owners.${owner}`) },
      ...KNOWN_FIELDS.filter((each) => each.owner === owner).map((each) => ({
        id: fieldKey(each),
        label: nameOf(each),
        onSelect: () => setInserting(each),
      })),
      ...(owner === 'receiver'
        ? [{ id: 'own', label: t('fields.custom'), onSelect: () => setInserting({ owner, name: '', own: true }) }]
        : []),
    ])
  const insert = (written: string): void => {
    const { current } = field
    const [from, to] = [current?.selectionStart ?? text.length, current?.selectionEnd ?? text.length]
    onChange(`${text.slice(0, from)}${written}${text.slice(to)}`)
    setInserting(undefined)
    requestAnimationFrame(() => {
      current?.focus()
      current?.setSelectionRange(from + written.length, from + written.length)
    })
  }
  return (
    <div className={styles['message']}>
      <TextArea
        ref={field}
        label={t('message')}
        rows={6}
        maxLength={MAX_MESSAGE_LENGTH}
        value={text}
        error={error}
        hint={hint}
        onChange={onChange}
      />
      <div className={styles['chips']}>
        <MenuPill icon="braces" text={t('insert')} items={items} />
        {used.map((each) => (
          <span key={fieldKey(each)} className={styles['fieldChip']}>
            {each.fallback === ''
              ? t('fields.without', { field: nameOf(each) })
              : t('fields.with', { field: nameOf(each), fallback: each.fallback })}
          </span>
        ))}
      </div>
      {inserting === undefined ? null : (
        <FieldDialog field={inserting} onClose={() => setInserting(undefined)} onInsert={insert} />
      )}
    </div>
  )
}

type DialogProps = {
  readonly field: Inserting
  readonly onClose: () => void
  readonly onInsert: (written: string) => void
}

/** Which field, and what is written for those who have no value. */
function FieldDialog({ field, onClose, onInsert }: DialogProps) {
  const t = useTexts('campaigns')
  const fieldName = useFieldName()
  const [name, setName] = useState(field.name)
  const [fallback, setFallback] = useState('')
  const formMessage = useRemark((own: 'name') => t(`fieldDialog.${own}Wrong`))
  const submit = (): void => {
    if (!isFieldWritable(name.trim())) return formMessage.show('name')
    onInsert(writeField({ owner: field.owner, name: name.trim(), fallback }))
  }
  return (
    <FormDialog
      title={field.own === true ? t('fields.custom') : fieldName(field)}
      confirm={t('fieldDialog.confirm')}
      error={formMessage.text}
      onSubmit={submit}
      onClose={onClose}
    >
      {field.own === true ? (
        <TextField
          label={t('fieldDialog.name')}
          hint={t('fieldDialog.nameHint')}
          value={name}
          maxLength={64}
          autoComplete="off"
          onChange={(next) => {
            formMessage.clear()
            setName(next)
          }}
        />
      ) : null}
      <TextField
        label={t('fieldDialog.fallback')}
        hint={t('fieldDialog.fallbackHint')}
        value={fallback}
        maxLength={100}
        autoComplete="off"
        onChange={setFallback}
      />
    </FormDialog>
  )
}
