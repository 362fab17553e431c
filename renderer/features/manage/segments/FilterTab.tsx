import type { KeyboardEvent } from 'react'
import {
  type FilterCondition,
  type FilterGroup,
  type FilterNode,
  type SegmentKind,
  MAX_FILTER_TEXT,
} from '#shared/domain/manage/segments.ts'
import {
  conditionsIn,
  MAX_LEVELS,
  takesList,
  fieldNamed,
  fieldsOf,
  type FilterField,
  FILTER_LIMITS,
  type FilterProblem,
} from '#shared/rules/segments/filter.ts'
import { useTexts, useFormats } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Select } from '../../../ui/Choice/Choice.tsx'
import { TextArea } from '../../../ui/Field/TextField.tsx'
import { ConditionValue, useFieldTexts } from './ConditionValue.tsx'
import type { Draft } from './drafts.ts'
import styles from './Segments.module.css'

type Props = {
  readonly kind: SegmentKind
  readonly draft: Draft
  readonly onGroup: (group: FilterGroup) => void
  readonly onJson: () => void
  /** Back to the last text that was a filter. */
  readonly onDiscard: () => void
}

/** A condition and its operators count as keys of a filter. */
const MAX_CONDITIONS = FILTER_LIMITS.keys / 3
const MATCHES = ['all', 'any', 'none'] as const

/** The filter as sentences. While its JSON is no filter, or says what no sentence can, it is only shown. */
export function FilterTab({ kind, draft, onGroup, onJson, onDiscard }: Props) {
  const t = useTexts('segments')
  const { group, problem } = draft
  if (group === undefined) {
    return (
      <div className={styles['readOnly']}>
        <p className={styles['note']}>{t('filter.onlyJson')}</p>
        <pre dir="ltr" tabIndex={0}>
          {draft.text}
        </pre>
        <Button onClick={onJson}>{t('toJson')}</Button>
      </div>
    )
  }
  const count = conditionsIn(group).length
  return (
    <div className={styles['filter']}>
      {problem === undefined ? null : (
        <div className={styles['note']} role="status">
          <p>{t('filter.broken')}</p>
          <Button size="small" onClick={onJson}>
            {t('toJson')}
          </Button>
          <Button size="small" onClick={onDiscard}>
            {t('filter.discard')}
          </Button>
        </div>
      )}
      <fieldset className={styles['sentences']} disabled={problem !== undefined}>
        <legend className="sr-only">{t('tabs.filter')}</legend>
        <GroupEditor kind={kind} group={group} level={1} isFull={count >= MAX_CONDITIONS} onChange={onGroup} />
      </fieldset>
      {count >= MAX_CONDITIONS ? <p className={styles['hint']}>{t('filter.full')}</p> : null}
      {group.of.length === 0 ? <p className={styles['hint']}>{t(`filter.empty.${kind}`)}</p> : null}
    </div>
  )
}

type GroupProps = {
  readonly kind: SegmentKind
  readonly group: FilterGroup
  readonly level: number
  /** There is room for no further condition. */
  readonly isFull: boolean
  readonly onChange: (group: FilterGroup) => void
  readonly onRemove?: (button: Element) => void
}

const newCondition = (kind: SegmentKind): FilterCondition => conditionOn(fieldsOf(kind)[0])

/** A condition on this field without a value. */
function conditionOn(field: FilterField | undefined): FilterCondition {
  const operator = field?.operators[0] ?? '$eq'
  const value = field?.kind === 'flag' ? true : takesList(operator) ? [] : ''
  return { kind: 'condition', field: field?.name ?? '', operator, value }
}

function GroupEditor({ kind, group, level, isFull, onChange, onRemove }: GroupProps) {
  const t = useTexts('segments')
  const { match, of } = group
  const put = (parts: readonly FilterNode[]): void => onChange({ ...group, of: parts })
  const change = (index: number, node: FilterNode): void => put(of.map((each, at) => (at === index ? node : each)))
  const remove = (index: number, button: Element): void => {
    focusNext(button)
    put(of.filter((_, at) => at !== index))
  }
  return (
    <div role="group" aria-label={t(`group.${match}`)} className={cx(styles['group'], level > 1 && styles['nested'])}>
      <div className={styles['groupHead']}>
        <span>{t(level === 1 ? `group.lead.${kind}` : 'group.leadNested')}</span>
        <Select
          label={t('group.match')}
          value={match}
          choices={MATCHES.map((value) => ({ value, label: t(`group.${value}`) }))}
          onChange={(next) => onChange({ ...group, match: next })}
        />
        <span>{t('group.ofThese')}</span>
        {onRemove === undefined ? null : (
          <span className={styles['end']}>
            <IconButton icon="x" label={t('group.remove')} onClick={({ currentTarget }) => onRemove(currentTarget)} />
          </span>
        )}
      </div>
      {of.map((node, index) => (
        <div key={keyOf(node, index)} data-filter-row className={styles['row']}>
          <span className={styles['word']}>{index === 0 ? '' : t(match === 'all' ? 'and' : 'or')}</span>
          {node.kind === 'group' ? (
            <GroupEditor
              kind={kind}
              group={node}
              level={level + 1}
              isFull={isFull}
              onChange={(next) => change(index, next)}
              onRemove={(button) => remove(index, button)}
            />
          ) : (
            <ConditionEditor
              kind={kind}
              number={index + 1}
              condition={node}
              onChange={(next) => change(index, next)}
              onRemove={(button) => remove(index, button)}
            />
          )}
        </div>
      ))}
      <div className={styles['adding']}>
        <Button
          size="small"
          icon="plus"
          aria-disabled={isFull || undefined}
          onClick={() => isFull || put([...of, newCondition(kind)])}
        >
          {t('group.addCondition')}
        </Button>
        {level >= MAX_LEVELS ? null : (
          <Button
            size="small"
            icon="plus"
            aria-disabled={isFull || undefined}
            onClick={() => isFull || put([...of, { kind: 'group', match: 'any', of: [newCondition(kind)] }])}
          >
            {t('group.addGroup')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Not the field: whoever chooses another one, or types its name, stays where they are. */
const keyOf = (node: FilterNode, index: number): string => `${index} ${node.kind}`

/** The row goes with its button: the focus moves to the next one, or to what adds one. */
function focusNext(button: Element): void {
  const next = button.closest('[data-filter-row]')?.nextElementSibling
  next?.querySelector<HTMLElement>('select, button')?.focus()
}

type ConditionProps = {
  readonly kind: SegmentKind
  readonly number: number
  readonly condition: FilterCondition
  readonly onChange: (condition: FilterCondition) => void
  readonly onRemove: (button: Element) => void
}

/** Stands for all custom fields in the choice of fields; no field has this name. */
const CUSTOM = '*'

function ConditionEditor({ kind, number, condition, onChange, onRemove }: ConditionProps) {
  const t = useTexts('segments')
  const texts = useFieldTexts(kind)
  const { field: name, operator, value } = condition
  const known = fieldsOf(kind).filter((each) => each.ofCaller !== true || each.name === name)
  const isCustom = !known.some((each) => each.name === name)
  const field = fieldNamed(kind, isCustom && name === '' ? 'custom' : name)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const inField = event.target instanceof HTMLInputElement
    if (event.key !== 'Delete' || inField) return
    event.preventDefault()
    onRemove(event.currentTarget)
  }
  return (
    <div
      role="group"
      aria-label={t('conditionNumber', { number })}
      className={styles['condition']}
      onKeyDown={onKeyDown}
    >
      <Select
        label={t('field')}
        value={isCustom ? CUSTOM : name}
        choices={[
          ...known.map((each) => ({ value: each.name, label: texts.field(each.name) })),
          { value: CUSTOM, label: t('fields.anyCustom') },
        ]}
        onChange={(next) =>
          onChange(
            next === CUSTOM
              ? { kind: 'condition', field: '', operator: '$eq', value: '' }
              : conditionOn(fieldNamed(kind, next)),
          )
        }
      />
      {isCustom ? (
        <input
          className={styles['input']}
          aria-label={t('fieldName')}
          placeholder={t('fieldName')}
          value={name}
          maxLength={100}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          onChange={({ currentTarget }) => onChange({ ...condition, field: currentTarget.value })}
        />
      ) : null}
      <Select
        label={t('operator')}
        value={operator}
        choices={(field?.operators ?? [operator]).map((each) => ({
          value: each,
          label: texts.operator(each, field?.kind ?? 'custom'),
        }))}
        onChange={(next) => onChange({ ...condition, operator: next, value: valueFor(next, field, value) })}
      />
      <ConditionValue
        key={isCustom ? CUSTOM : name}
        field={field}
        condition={condition}
        onChange={(next) => onChange({ ...condition, value: next })}
      />
      <IconButton
        icon="x"
        label={t('removeCondition', { number })}
        onClick={({ currentTarget }) => onRemove(currentTarget)}
      />
    </div>
  )
}

/** What of a value another operator can take. */
function valueFor(
  operator: FilterCondition['operator'],
  field: FilterField | undefined,
  value: FilterCondition['value'],
): FilterCondition['value'] {
  if (operator === '$exists') return true
  const values = [value].flat()
  if (takesList(operator)) return values.filter((each) => each !== '' && typeof each !== 'boolean')
  const [first = ''] = values
  return typeof first === 'boolean' && field?.kind !== 'flag' ? '' : first
}

type JsonTabProps = {
  readonly kind: SegmentKind
  readonly draft: Draft
  readonly onText: (text: string) => void
}

/** The filter as the server takes it. What is no filter stays as it is typed, with what is wrong and where. */
export function JsonTab({ kind, draft, onText }: JsonTabProps) {
  const t = useTexts('segments')
  const problemText = useProblemText()
  return (
    <div className={styles['json']}>
      <TextArea
        label={t('json.label')}
        dir="ltr"
        rows={16}
        spellCheck={false}
        autoComplete="off"
        maxLength={MAX_FILTER_TEXT}
        value={draft.text}
        hint={t(`json.hint.${kind}`)}
        error={draft.problem === undefined ? undefined : problemText(draft.problem)}
        onChange={onText}
      />
    </div>
  )
}

/** What is wrong with a text, in a sentence that begins with its line. */
function useProblemText(): (problem: FilterProblem) => string {
  const t = useTexts('segments')
  const formats = useFormats()
  return (problem) => {
    const values = {
      line: problem.line,
      name: 'name' in problem ? (problem.name ?? '') : '',
      field: 'field' in problem ? problem.field : '',
      instead: 'instead' in problem ? formats.list(problem.instead) : '',
      ...FILTER_LIMITS,
    }
    return t(`json.problems.${problem.code}`, values)
  }
}
