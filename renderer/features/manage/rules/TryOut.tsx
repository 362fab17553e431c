import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { ListedRule, Rules, TextRange } from '#shared/domain/manage/rules.ts'
import { decideBy, hitsIn } from '#shared/rules/moderation/decide.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Select } from '../../../ui/Choice/Select.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Marked } from './Marked.tsx'
import { keyOf, ruleOf, type RuleDraft } from './drafts.ts'
import styles from './Rules.module.css'

const YEAR_MS = 365 * 86_400_000

/** Who writes the text: a rule may look at that. */
const PERSONS = {
  newGuest: { role: 'guest', ageMs: 0 },
  newMember: { role: 'user', ageMs: 0 },
  member: { role: 'user', ageMs: YEAR_MS },
  moderator: { role: 'moderator', ageMs: YEAR_MS },
} as const
type Person = keyof typeof PERSONS
const PERSON_NAMES = Object.keys(PERSONS) as readonly Person[]

/** The text that is tried; it stays while other rules are looked at. */
export type Tried = { readonly text: string; readonly person: Person }

export const NOTHING_TRIED: Tried = { text: '', person: 'newGuest' }

type Props = {
  readonly rules: Rules
  readonly draft: RuleDraft
  readonly value: Tried
  readonly onChange: (value: Tried) => void
}

/** What the rules would do with a text, at every key, with the rule as it is being changed. */
export function TryOut({ rules, draft, value, onChange }: Props) {
  const t = useTexts('rules')
  const { list } = useFormats()
  const now = useMinute()
  const id = useId()
  const { text, person } = value
  const [choosing, setChoosing] = useState(false)
  const choice = useRef<HTMLDivElement>(null)
  // The button that opens the choice goes with its press.
  useEffect(() => {
    if (choosing) choice.current?.querySelector('select')?.focus()
  }, [choosing])
  const tried = useMemo(() => withDraft(rules.rules, draft), [rules, draft])
  const decide = useMemo(
    () =>
      decideBy(
        tried,
        rules.lists.filter(({ foreign }) => foreign === undefined),
      ),
    [tried, rules.lists],
  )
  const { role, ageMs } = PERSONS[person]
  const cid = draft.conditions.flatMap((each) => (each.kind === 'channel' ? [each.cid] : []))[0] ?? ''
  const decision = text === '' ? undefined : decide({ text, attachments: 0, cid, role, joinedAt: now - ageMs, at: now })
  const hits = decision === undefined ? [] : hitsIn(text, decision.ranges)
  const who = t(`persons.${person}`)
  return (
    <div className={styles['try']}>
      <label className={styles['label']} htmlFor={id}>
        {t('test.try')}
      </label>
      <Field
        id={id}
        text={text}
        ranges={decision?.ranges ?? NO_RANGES}
        onChange={(next) => onChange({ ...value, text: next })}
      />
      <div role="status" className={cx(styles['verdict'], decision !== undefined && styles['caught'])}>
        {text === '' ? (
          <span>{t('test.empty')}</span>
        ) : decision === undefined ? (
          <>
            <Icon name="check" size={16} /> <span>{t('test.passes', { who })}</span>
          </>
        ) : (
          <>
            <Icon name="ban" size={16} />
            <span>
              <b>{t(`actions.${decision.rule.action}.done`)}</b> {t('test.for', { who })}
              <br />
              {t('test.by', { number: tried.indexOf(decision.rule) + 1, name: decision.rule.name || t('newRule') })}
              {hits.length === 0
                ? null
                : ` ${t('test.hits', { hits: list(hits.slice(0, 5).map((hit) => t('test.quoted', { hit }))) })}`}
            </span>
          </>
        )}
      </div>
      {choosing ? (
        <div ref={choice}>
          <Select
            label={t('test.as')}
            value={person}
            choices={PERSON_NAMES.map((each) => ({ value: each, label: t(`persons.${each}`) }))}
            onChange={(next) => onChange({ ...value, person: next })}
          />
        </div>
      ) : (
        <button type="button" className={styles['link']} onClick={() => setChoosing(true)}>
          {t('test.as')}
        </button>
      )}
    </div>
  )
}

const NO_RANGES: readonly TextRange[] = []

/** The rules in their order, with the changed one in its place and switched on; a new one comes last. */
function withDraft(rules: readonly ListedRule[], draft: RuleDraft): readonly ListedRule[] {
  const changed = { ...ruleOf(draft), id: keyOf(draft), enabled: true }
  const whole: ListedRule = { version: '', position: Number.MAX_SAFE_INTEGER, ...changed }
  return rules.some(({ id }) => id === draft.id)
    ? rules.map((rule) => (rule.id === draft.id ? { ...rule, ...changed } : rule))
    : [...rules, whole]
}

type FieldProps = {
  readonly id: string
  readonly text: string
  readonly ranges: readonly TextRange[]
  readonly onChange: (text: string) => void
}

/** The text area over the same text with its marks: a text area cannot have any. */
function Field({ id, text, ranges, onChange }: FieldProps) {
  const t = useTexts('rules')
  return (
    <div className={styles['field']}>
      <div className={styles['behind']} aria-hidden="true">
        <Marked text={text} ranges={ranges} />
        {'\u200B'}
      </div>
      <textarea
        id={id}
        dir="auto"
        rows={2}
        maxLength={5_000}
        placeholder={t('test.placeholder')}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}
