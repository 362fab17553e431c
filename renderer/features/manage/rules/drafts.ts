import type { ListedRule, Rule, RuleCondition, RuleSupport } from '#shared/domain/manage/rules.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import { command } from '../../../store/command.ts'

/** A rule while it is being changed. */
export type RuleDraft = Omit<Rule, 'id' | 'everyone'> & {
  /** Absent: it is new. */
  readonly id?: string
  /** The stored version that the change is based on. */
  readonly version?: string
}

/** The key of a draft; that of a new rule is empty. */
export const keyOf = ({ id }: Pick<RuleDraft, 'id'>): string => id ?? ''

export const draftOf = ({ id, name, enabled, conditions, action, text, version }: ListedRule): RuleDraft => ({
  id,
  name,
  enabled,
  conditions,
  action,
  text: text ?? '',
  version,
})

export const newDraft = (support: RuleSupport, list: string | undefined): RuleDraft => ({
  name: '',
  enabled: true,
  conditions: support.full ? [{ kind: 'words', words: [] }] : list === undefined ? [] : [{ kind: 'list', list }],
  action: support.actions[0] ?? 'flag',
  text: '',
})

/** Without what is not finished: a condition without a word or a list. */
const isWhole = (condition: RuleCondition): boolean =>
  condition.kind === 'words'
    ? condition.words.length > 0
    : condition.kind === 'list'
      ? condition.list !== ''
      : condition.kind === 'channel'
        ? condition.cid !== ''
        : true

/** Why a draft cannot be saved yet; `undefined`: it can. */
export function problemOf({ name, conditions }: RuleDraft, support: RuleSupport): 'name' | 'conditions' | undefined {
  if (support.full && name.trim() === '') return 'name'
  return conditions.length === 0 || !conditions.every(isWhole) ? 'conditions' : undefined
}

/** The rule of a draft as a call takes it. On a server without names a rule has that of its list. */
export function ruleOf({ version: _version, name, ...draft }: RuleDraft) {
  const [first] = draft.conditions
  const listName = first?.kind === 'list' ? first.list : ''
  return { ...draft, name: name.trim() === '' ? listName : name.trim() }
}

export const isSameDraft = (a: RuleDraft, b: RuleDraft): boolean => {
  const { version: _a, ...left } = a
  const { version: _b, ...right } = b
  return JSON.stringify(left) === JSON.stringify(right)
}

/** Between the neighbors of its new place. `undefined`: it is there already. */
export function positionAt(rules: readonly ListedRule[], id: string, to: number): number | undefined {
  const from = rules.findIndex((rule) => rule.id === id)
  if (from < 0 || to < 0 || to >= rules.length || from === to) return undefined
  const others = rules.filter((rule) => rule.id !== id)
  const before = others[to - 1]?.position
  const after = others[to]?.position
  if (before === undefined) return (after ?? 1) - 1
  if (after === undefined || after >= Number.MAX_SAFE_INTEGER) return before + 1
  return (before + after) / 2
}

type Input<Name extends 'save' | 'remove' | 'saveList' | 'removeList' | 'dryRun'> = Parameters<
  EngineClient['rules'][Name]
>[0]

/** All quiet: the page shows the error where it happened. */
const QUIET = { quiet: true }

export const loadRules = command('rules/asked', (_: void, engine) => engine.rules.list(), QUIET)
export const saveRule = command('rules/saved', (input: Input<'save'>, engine) => engine.rules.save(input), QUIET)
export const removeRule = command(
  'rules/removed',
  (input: Input<'remove'>, engine) => engine.rules.remove(input),
  QUIET,
)
export const saveList = command(
  'rules/listSaved',
  (input: Input<'saveList'>, engine) => engine.rules.saveList(input),
  QUIET,
)
export const removeList = command(
  'rules/listRemoved',
  (input: Input<'removeList'>, engine) => engine.rules.removeList(input),
  QUIET,
)
export const dryRunStep = command('rules/tried', (input: Input<'dryRun'>, engine) => engine.rules.dryRun(input), QUIET)
