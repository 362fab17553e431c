import { useId, useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import {
  type ListedRule,
  type RuleAction,
  type Rules,
  RULE_FINDS,
  type RuleCondition,
  type RuleConditionKind,
  type RuleFind,
} from '#shared/domain/manage/rules.ts'
import { asCid } from '#shared/lib/brand.ts'
import { useErrorText, useTexts, useFormats } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useConnection, useAppSelector, useAppStore } from '../../../store/hooks.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Select } from '../../../ui/Choice/Choice.tsx'
import { Question } from '../Page.tsx'
import { Elsewhere, GoneElsewhere, RuleDifferences } from './Elsewhere.tsx'
import { draftOf, isSameDraft, problemOf, ruleOf, type RuleDraft, removeRule, saveRule } from './drafts.ts'
import type { Selected } from './RuleList.tsx'
import { channelTitle } from '../../sidebar/index.ts'
import styles from './Rules.module.css'

const NAME_LIMIT = 100
const TEXT_LIMIT = 300

type Props = {
  readonly rules: Rules
  readonly draft: RuleDraft
  /** As the server has it; absent: new, or deleted elsewhere. */
  readonly stored: ListedRule | undefined
  /** `undefined`: back to the stored rule. */
  readonly onDraft: (draft: RuleDraft | undefined) => void
  readonly onSaved: (rule: ListedRule) => void
  readonly onSelect: (selected: Selected | undefined) => void
  /** Shows or hides the test, where it is not beside. */
  readonly onTest: (() => void) | undefined
}

/** One rule: when, then what, and what its author reads. */
export function RuleEditor(props: Props) {
  const { rules, draft, stored, onDraft } = props
  const t = useTexts('rules')
  const { support } = rules
  const hasMessage = draft.action === 'block' || draft.action === 'bounce'
  const set = (change: Partial<RuleDraft>): void => onDraft({ ...draft, ...change })
  return (
    <section className={styles['editor']} aria-label={t('rule')}>
      <div className={styles['scroll']}>
        <ChangedElsewhere draft={draft} stored={stored} onDraft={onDraft} />
        {support.full ? (
          <TextField
            label={t('name')}
            value={draft.name}
            maxLength={NAME_LIMIT}
            placeholder={t('namePlaceholder')}
            onChange={(name) => set({ name })}
          />
        ) : null}
        <Conditions rules={rules} conditions={draft.conditions} onChange={(conditions) => set({ conditions })} />
        <Then actions={support.actions} action={draft.action} onChange={(action) => set({ action })} />
        {support.full && hasMessage ? (
          <TextField
            label={t('text')}
            value={draft.text ?? ''}
            maxLength={TEXT_LIMIT}
            hint={t('textHint')}
            onChange={(text) => set({ text })}
          />
        ) : null}
      </div>
      <Foot {...props} />
    </section>
  )
}

/** Somebody else changed or deleted the rule while it was being changed here. */
function ChangedElsewhere({ draft, stored, onDraft }: Pick<Props, 'draft' | 'stored' | 'onDraft'>) {
  const t = useTexts('rules')
  if (draft.id === undefined || (stored !== undefined && stored.version === draft.version)) return null
  if (stored === undefined) {
    return (
      <GoneElsewhere
        text={t('elsewhere.gone')}
        onAsNew={() => onDraft({ ...draft, id: undefined, version: undefined })}
      />
    )
  }
  return (
    <Elsewhere
      text={t('elsewhere.changed')}
      onTheirs={() => onDraft(undefined)}
      onMine={() => onDraft({ ...draft, version: stored.version })}
    >
      <RuleDifferences stored={stored} draft={draft} />
    </Elsewhere>
  )
}

type ThenProps = {
  readonly actions: readonly RuleAction[]
  readonly action: RuleAction
  readonly onChange: (action: RuleAction) => void
}

function Then({ actions, action, onChange }: ThenProps) {
  const t = useTexts('rules')
  const name = useId()
  return (
    <fieldset className={styles['then']}>
      <legend className={styles['heading']}>{t('then')}</legend>
      <div className={styles['options']}>
        {actions.map((each) => (
          <label
            key={each}
            htmlFor={`${name}-${each}`}
            className={styles['option']}
            data-on={each === action || undefined}
          >
            <input
              id={`${name}-${each}`}
              type="radio"
              name={name}
              checked={each === action}
              onChange={() => onChange(each)}
            />
            <b>{t(`actions.${each}.title`)}</b>
            <span>{t(`actions.${each}.text`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Foot({ rules, draft, stored, onDraft, onSaved, onSelect, onTest }: Props) {
  const t = useTexts('rules')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [working, setWorking] = useState(false)
  const [error, setError] = useState<ErrorBody>()
  const [asking, setAsking] = useState(false)
  const problem = problemOf(draft, rules.support)
  const isChanged = stored === undefined || !isSameDraft(draftOf(stored), draft)
  const isElsewhere = draft.id !== undefined && stored?.version !== draft.version
  const isReady = isChanged && problem === undefined && !offline && !isElsewhere
  const save = async (): Promise<void> => {
    setWorking(true)
    setError(undefined)
    const saved = await dispatch(saveRule({ rule: ruleOf(draft), version: draft.version }))
    setWorking(false)
    if (!saved.ok) {
      setError(saved.error)
      return
    }
    announce(t('saved'))
    onSaved(saved.value)
  }
  return (
    <footer className={styles['foot']}>
      <span className={styles['hint']} role={error === undefined ? undefined : 'alert'}>
        {error !== undefined ? (
          <span className={styles['error']}>{errorText(error)}</span>
        ) : offline ? (
          t('offline')
        ) : isChanged && problem !== undefined ? (
          t(`problems.${problem}`)
        ) : rules.support.full ? (
          <>
            <Icon name="lock" size={14} /> {t('exempt')}
          </>
        ) : null}
      </span>
      {onTest === undefined ? null : <Button onClick={onTest}>{t('test.open')}</Button>}
      {stored === undefined ? null : (
        <Button variant="quiet" aria-disabled={offline || undefined} onClick={() => offline || setAsking(true)}>
          {t('delete')}
        </Button>
      )}
      {isChanged ? <Button onClick={() => onDraft(undefined)}>{t('discard')}</Button> : null}
      <Button
        variant="primary"
        working={working}
        aria-disabled={!isReady || undefined}
        onClick={() => isReady && void save()}
      >
        {t('save')}
      </Button>
      {asking && stored !== undefined ? (
        <DeleteDialog
          rule={stored}
          onClose={() => setAsking(false)}
          onDone={() => {
            onDraft(undefined)
            onSelect(undefined)
          }}
        />
      ) : null}
    </footer>
  )
}

type DeleteProps = { readonly rule: ListedRule; readonly onClose: () => void; readonly onDone: () => void }

function DeleteDialog({ rule: { id, name, version }, onClose, onDone }: DeleteProps) {
  const t = useTexts('rules')
  const dispatch = useAppDispatch()
  return (
    <Question
      title={t('deleteTitle', { name })}
      texts={[t('deleteText')]}
      confirm={t('delete')}
      onConfirm={() => dispatch(removeRule({ id, version }))}
      onClose={onClose}
      onDone={onDone}
    />
  )
}

const MAX_CONDITIONS = 20
const MAX_DAYS = 3_650
const ROLES = ['user', 'guest', 'anonymous'] as const

type ConditionsProps = {
  readonly rules: Rules
  readonly conditions: readonly RuleCondition[]
  readonly onChange: (conditions: readonly RuleCondition[]) => void
}

/** When the rule applies, a sentence for each condition. */
function Conditions({ rules, conditions, onChange }: ConditionsProps) {
  const t = useTexts('rules')
  const { support, lists } = rules
  const change = (index: number, condition: RuleCondition): void =>
    onChange(conditions.map((each, at) => (at === index ? condition : each)))
  const [ids, setIds] = useState<readonly number[]>(() => conditions.map((_, at) => at))
  // The rule as someone else has changed it may have more or fewer.
  if (ids.length !== conditions.length) setIds(sized(ids, conditions.length))
  const remove = (index: number, button: Element): void => {
    // Its button goes too: the focus stays in place, on that of the next one or on the one that adds.
    button.closest('[role=group]')?.nextElementSibling?.querySelector('button')?.focus()
    setIds(ids.filter((_, at) => at !== index))
    onChange(conditions.filter((_, at) => at !== index))
  }
  const first = lists[0]?.name ?? ''
  return (
    <fieldset className={styles['conditions']}>
      <legend className={styles['heading']}>{t('when')}</legend>
      {conditions.map((condition, index) => (
        <div
          key={ids[index]}
          role="group"
          aria-label={t('condition', { number: index + 1 })}
          className={styles['condition']}
        >
          <Select
            label={t('kind')}
            value={kindOf(condition)}
            choices={kindsFor(rules).map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
            onChange={(kind) => change(index, newCondition(kind, first))}
          />
          <Value condition={condition} rules={rules} onChange={(next) => change(index, next)} />
          {support.full ? (
            <IconButton
              icon="x"
              label={t('removeCondition')}
              onClick={({ currentTarget }) => remove(index, currentTarget)}
            />
          ) : null}
        </div>
      ))}
      {support.full && conditions.length < MAX_CONDITIONS ? (
        <div>
          <Button size="small" icon="plus" onClick={() => onChange([...conditions, newCondition('words', first)])}>
            {t('addCondition')}
          </Button>
        </div>
      ) : null}
      {conditions.length === 0 && !support.full ? <p className={styles['hint']}>{t('needsList')}</p> : null}
    </fieldset>
  )
}

/** The ids of the first ones stay; further ones are new. */
const sized = (ids: readonly number[], count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => ids[at] ?? Math.max(-1, ...ids) + 1 + at)

/** What the first choice of a condition offers: each thing to find is one of its own. */
type Kind = Exclude<RuleConditionKind, 'has'> | RuleFind

const kindOf = (condition: RuleCondition): Kind => (condition.kind === 'has' ? condition.what : condition.kind)

function kindsFor({ support, lists }: Rules): readonly Kind[] {
  return support.conditions.flatMap((kind): readonly Kind[] => {
    if (kind === 'has') return RULE_FINDS
    return kind === 'list' && lists.length === 0 ? [] : [kind]
  })
}

function newCondition(kind: Kind, list: string): RuleCondition {
  switch (kind) {
    case 'list':
      return { kind, list }
    case 'words':
      return { kind, words: [] }
    case 'joined':
      return { kind, days: 30 }
    case 'role':
      return { kind, role: 'guest' }
    case 'channel':
      return { kind, cid: asCid('') }
    case 'link':
    case 'email':
    case 'phone':
    case 'attachment':
      return { kind: 'has', what: kind }
  }
}

type ValueProps<Kind extends RuleCondition> = {
  readonly condition: Kind
  readonly rules: Rules
  readonly onChange: (condition: RuleCondition) => void
}

function Value({ condition, rules, onChange }: ValueProps<RuleCondition>) {
  const t = useTexts('rules')
  switch (condition.kind) {
    case 'list': {
      const names = rules.lists.flatMap(({ name, foreign }) => (foreign === undefined ? [name] : []))
      const known = names.includes(condition.list) ? names : [condition.list, ...names]
      return (
        <Select
          label={t('kinds.list')}
          value={condition.list}
          choices={known.map((name) => ({ value: name, label: name }))}
          onChange={(list) => onChange({ kind: 'list', list })}
        />
      )
    }
    case 'words':
      return <WordsField words={condition.words} onChange={(words) => onChange({ kind: 'words', words })} />
    case 'joined':
      return <DaysField days={condition.days} onChange={(days) => onChange({ kind: 'joined', days })} />
    case 'role': {
      const roles: readonly string[] = ROLES.some((role) => role === condition.role)
        ? ROLES
        : [condition.role, ...ROLES]
      return (
        <Select
          label={t('kinds.role')}
          value={condition.role}
          choices={roles.map((role) => ({ value: role, label: t(`roles.${role}` as never, { defaultValue: role }) }))}
          onChange={(role) => onChange({ kind: 'role', role })}
        />
      )
    }
    case 'channel':
      return <ChannelField cid={condition.cid} onChange={(cid) => onChange({ kind: 'channel', cid: asCid(cid) })} />
    case 'has':
      return null
  }
}

type WordsProps = { readonly words: readonly string[]; readonly onChange: (words: readonly string[]) => void }

/** Words and phrases, separated by commas. What is being typed stays as it is typed. */
function WordsField({ words, onChange }: WordsProps) {
  const t = useTexts('rules')
  const [typed, setTyped] = useState<string>()
  return (
    <input
      className={styles['input']}
      dir="auto"
      aria-label={t('kinds.words')}
      placeholder={t('wordsPlaceholder')}
      maxLength={4_000}
      value={typed ?? words.join(', ')}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        onChange(wordsIn(value))
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}

const wordsIn = (typed: string): string[] =>
  [
    ...new Set(
      typed
        .split(/[,;\n]/u)
        .map((word) => word.trim().slice(0, 255))
        .filter((word) => word !== ''),
    ),
  ].slice(0, 200)

function DaysField({ days, onChange }: { readonly days: number; readonly onChange: (days: number) => void }) {
  const t = useTexts('rules')
  const [typed, setTyped] = useState<string>()
  return (
    <>
      <input
        className={styles['days']}
        inputMode="numeric"
        aria-label={t('days', { count: days })}
        value={typed ?? String(days)}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value)
          const read = Number(value)
          if (Number.isInteger(read) && read > 0 && read <= MAX_DAYS) onChange(read)
        }}
        onBlur={() => setTyped(undefined)}
      />
      <span>{t('daysAgo', { count: days })}</span>
    </>
  )
}

function ChannelField({ cid, onChange }: { readonly cid: string; readonly onChange: (cid: string) => void }) {
  const t = useTexts('rules')
  const { compare } = useFormats()
  const state = useAppStore().getState()
  const channels = useAppSelector(({ entities }) => entities.channels)
  const known = Object.values(channels)
    .filter(({ directUserIds }) => directUserIds.length === 0)
    .map((channel) => ({ value: channel.cid as string, label: `#${channelTitle(state, channel.cid)}` }))
    .toSorted((a, b) => compare(a.label, b.label))
  const chosen = known.some(({ value }) => value === cid)
  const choices = chosen ? known : [{ value: cid, label: cid === '' ? t('chooseChannel') : cid }, ...known]
  return <Select label={t('kinds.channel')} value={cid} choices={choices} onChange={onChange} />
}
