import { useState } from 'react'
import type { FieldValue } from '#shared/domain/manage/directory.ts'
import { isFieldName } from '#shared/lib/field-names.ts'
import { typedField } from '#shared/rules/people/people.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { TextField } from '../../../ui/Field/TextField.tsx'

type NewField = {
  readonly name: string
  readonly value: string
  readonly setName: (name: string) => void
  readonly setValue: (value: string) => void
  /** Why it was not added. */
  readonly refusal: string | undefined
  /** Hands it to the caller, if its name may be one, and is empty again. */
  readonly add: () => void
}

/** A field of custom data that is being written. */
export function useNewField(onAdd: (name: string, value: FieldValue) => void): NewField {
  const t = useTexts('campaigns')
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const remark = useRemark((own: 'wrong') => t(`extras.field.${own}`))
  return {
    name,
    value,
    setName: (next) => {
      remark.clear()
      setName(next)
    },
    setValue,
    refusal: remark.text,
    add: () => {
      if (!isFieldName(name.trim())) return remark.show('wrong')
      onAdd(name.trim(), typedField(value, undefined))
      setName('')
      setValue('')
    },
  }
}

type Props = { readonly field: NewField; readonly hint?: string; readonly optional?: string }

/** Its name and its value. */
export function NewFieldInputs({ field, hint, optional }: Props) {
  const t = useTexts('campaigns')
  return (
    <>
      <TextField
        label={t('extras.field.name')}
        hint={hint}
        optional={optional}
        value={field.name}
        maxLength={64}
        autoComplete="off"
        onChange={field.setName}
      />
      <TextField
        label={t('extras.field.value')}
        value={field.value}
        maxLength={5_000}
        autoComplete="off"
        onChange={field.setValue}
      />
    </>
  )
}
