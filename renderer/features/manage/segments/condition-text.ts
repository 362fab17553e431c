import type { FilterCondition, FilterOperator, FilterValue, SegmentKind } from '#shared/domain/manage/segments.ts'
import { parseTime } from '#shared/lib/rfc3339.ts'
import { fieldNamed, fieldsOf, type FieldKind } from '#shared/rules/segments/filter.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'

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
