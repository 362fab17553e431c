import { useState } from 'react'
import type { FilterCondition, FilterValue, FilterOperator, SegmentKind } from '#shared/domain/manage/segments.ts'
import { formatTime, parseTime } from '#shared/lib/rfc3339.ts'
import { takesList, type FilterField, fieldNamed, fieldsOf, type FieldKind } from '#shared/rules/segments/filter.ts'
import { useTexts, useFormats } from '../../../i18n/index.ts'
import { Select } from '../../../ui/Choice/Choice.tsx'
import { IconButton } from '../../../ui/Button/Button.tsx'
import styles from './Segments.module.css'

type Props = {
  readonly field: FilterField | undefined
  readonly condition: FilterCondition
  readonly onChange: (value: FilterCondition['value']) => void
}

/** What a field is compared with: as many values, and of the type, as the operator and the field take. */
export function ConditionValue({ field, condition, onChange }: Props) {
  const { operator, value } = condition
  const kind = field?.kind ?? 'custom'
  if (operator === '$exists') return <YesNo value={value === true} names="filled" onChange={onChange} />
  if (takesList(operator)) {
    return <Values values={[value].flat()} isNumber={kind === 'number'} isTime={kind === 'time'} onChange={onChange} />
  }
  const single = Array.isArray(value) ? '' : (value as FilterValue)
  if (kind === 'flag') return <YesNo value={single === true} names="flag" onChange={onChange} />
  if (kind === 'time') return <TimeValue value={String(single)} onChange={onChange} />
  if (kind === 'number') return <NumberValue value={single} onChange={onChange} />
  if (kind === 'custom' && operator !== '$autocomplete' && operator !== '$q') {
    return <CustomValue value={single} onChange={onChange} />
  }
  return <TextValue value={String(single)} onChange={onChange} />
}

type Of<Value> = { readonly value: Value; readonly onChange: (value: FilterValue) => void }

function YesNo({ value, names, onChange }: Of<boolean> & { readonly names: 'flag' | 'filled' }) {
  const t = useTexts('segments')
  const labels = names === 'flag' ? ([t('yes'), t('no')] as const) : ([t('filled'), t('notFilled')] as const)
  return (
    <Select
      label={t('value')}
      value={value ? 'yes' : 'no'}
      choices={[
        { value: 'yes', label: labels[0] },
        { value: 'no', label: labels[1] },
      ]}
      onChange={(next) => onChange(next === 'yes')}
    />
  )
}

function TextValue({ value, onChange }: Of<string>) {
  const t = useTexts('segments')
  return (
    <input
      className={styles['input']}
      dir="auto"
      aria-label={t('value')}
      value={value}
      maxLength={500}
      autoComplete="off"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** What is being typed stays as it is typed. */
function NumberValue({ value, onChange }: Of<FilterValue>) {
  const t = useTexts('segments')
  const [typed, setTyped] = useState<string>()
  return (
    <input
      className={styles['input']}
      inputMode="decimal"
      aria-label={t('value')}
      value={typed ?? String(value)}
      maxLength={30}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(numberIn(currentTarget.value) ?? '')
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}

function numberIn(text: string): number | undefined {
  const number = Number(text.trim().replace(',', '.'))
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number
}

/** A moment in the time zone of this computer, to the minute. */
function TimeValue({ value, onChange }: Of<string>) {
  const t = useTexts('segments')
  const at = parseTime(value)
  return (
    <input
      type="datetime-local"
      className={styles['input']}
      aria-label={t('value')}
      value={at === undefined ? '' : localMinute(at)}
      onChange={({ currentTarget }) => {
        const chosen = new Date(currentTarget.value).getTime()
        onChange(Number.isNaN(chosen) ? '' : formatTime(chosen))
      }}
    />
  )
}

function localMinute(at: number): string {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = [String(date.getFullYear()).padStart(4, '0'), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

const TYPES = ['text', 'number', 'flag'] as const

/** Custom fields hold texts, numbers or switches: “1” is not 1. */
function CustomValue({ value, onChange }: Of<FilterValue>) {
  const t = useTexts('segments')
  const [chosen, setChosen] = useState<(typeof TYPES)[number]>()
  const type = chosen ?? (typeof value === 'boolean' ? 'flag' : typeof value === 'number' ? 'number' : 'text')
  return (
    <>
      <Select
        label={t('type')}
        value={type}
        choices={TYPES.map((each) => ({ value: each, label: t(`types.${each}`) }))}
        onChange={(next) => {
          setChosen(next)
          onChange(next === 'flag' ? true : next === 'number' ? (numberIn(String(value)) ?? '') : String(value))
        }}
      />
      {type === 'flag' ? (
        <YesNo value={value === true} names="flag" onChange={onChange} />
      ) : type === 'number' ? (
        <NumberValue value={value} onChange={onChange} />
      ) : (
        <TextValue value={String(value)} onChange={onChange} />
      )}
    </>
  )
}

type ValuesProps = {
  readonly values: readonly FilterValue[]
  readonly isNumber: boolean
  readonly isTime: boolean
  readonly onChange: (values: readonly FilterValue[]) => void
}

/** Several values: Enter or a comma adds what is typed. */
function Values({ values, isNumber, isTime, onChange }: ValuesProps) {
  const t = useTexts('segments')
  const [typed, setTyped] = useState('')
  const read = (text: string): FilterValue | undefined => {
    if (isNumber || typeof values[0] === 'number') return numberIn(text)
    if (isTime) return parseTime(text) === undefined ? undefined : text
    return text
  }
  const add = (text: string): void => {
    const found = text
      .split(/[,\n]/u)
      .map((each) => each.trim())
      .filter((each) => each !== '')
      .flatMap((each) => read(each) ?? [])
    setTyped('')
    onChange([...new Set([...values, ...found])])
  }
  return (
    <span className={styles['values']}>
      {values.map((each) => (
        <span key={`${typeof each} ${String(each)}`} className={styles['chip']}>
          <bdi>{String(each)}</bdi>
          <IconButton
            icon="x"
            size="small"
            label={t('removeValue', { value: String(each) })}
            onClick={() => onChange(values.filter((other) => other !== each))}
          />
        </span>
      ))}
      <input
        dir="auto"
        aria-label={t('addValue')}
        placeholder={t('addValue')}
        value={typed}
        maxLength={500}
        autoComplete="off"
        onChange={({ currentTarget }) =>
          currentTarget.value.includes(',') ? add(currentTarget.value) : setTyped(currentTarget.value)
        }
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || event.key !== 'Enter') return
          event.preventDefault()
          add(typed)
        }}
        onBlur={() => typed === '' || add(typed)}
      />
    </span>
  )
}

/** Names of fields and operators, in words. */
export function useFieldTexts(kind: SegmentKind) {
  const t = useTexts('segments')
  return {
    field: (name: string): string =>
      fieldsOf(kind).some((each) => each.name === name)
        ? t(`fields.${kind}.${name.replaceAll('.', '_')}` as never)
        : t('fields.custom', { name }),
    operator: (operator: FilterOperator, of: FieldKind): string =>
      of === 'time' && operator in TIMES
        ? t(`times.${operator.slice(1)}` as never)
        : t(`operators.${operator.slice(1)}` as never),
  }
}

/** Operators that read otherwise for times. */
const TIMES = { $eq: true, $gt: true, $gte: true, $lt: true, $lte: true } as const

/** A condition in words, such as “Language is one of pl, ru”. */
export function useConditionText(kind: SegmentKind): (condition: FilterCondition) => string {
  const t = useTexts('segments')
  const formats = useFormats()
  const texts = useFieldTexts(kind)
  return ({ field: name, operator, value }) => {
    const of = fieldNamed(kind, name)?.kind ?? 'custom'
    const field = texts.field(name)
    if (operator === '$exists') return t(value === true ? 'exists.yes' : 'exists.no', { field })
    const one = (each: FilterValue): string => {
      if (typeof each === 'boolean') return t(each ? 'yes' : 'no')
      const at = of === 'time' ? parseTime(String(each)) : undefined
      return at === undefined ? String(each) : `${formats.shortDate(at)}, ${formats.time(at)}`
    }
    const shown = Array.isArray(value) ? value.map(one).join(', ') : one(value as FilterValue)
    return t('condition', { field, operator: texts.operator(operator, of), value: shown })
  }
}
