import {
  LIST_KINDS,
  RULE_ACTIONS,
  RULE_FINDS,
  type ListKind,
  type Rule,
  type RuleCondition,
} from '../../domain/manage/rules.ts'
import { asCid } from '../../lib/brand.ts'

type Fields = Readonly<Record<string, unknown>>

const MAX_CONDITIONS = 20
const MAX_WORDS = 200
const MAX_WORD = 255
const MAX_DAYS = 3_650
const MAX_TEXT = 500

/**
 * A rule as it is sent. `undefined` for one of another shape: servers have rules that are not of this kind. See
 * docs/wire.md 5.26.
 */
export function readRule(value: unknown): Rule | undefined {
  if (!isFields(value)) return undefined
  const { id, name, enabled, conditions, action, sender_text: text } = value
  const known = RULE_ACTIONS.find((each) => each === action)
  if (typeof id !== 'string' || typeof name !== 'string' || known === undefined) return undefined
  if (!Array.isArray(conditions) || conditions.length > MAX_CONDITIONS) return undefined
  const read = conditions.map(readCondition)
  if (!read.every((each) => each !== undefined)) return undefined
  return {
    id,
    name,
    enabled: enabled !== false,
    conditions: read,
    action: known,
    ...(typeof text === 'string' && text !== '' ? { text: text.slice(0, MAX_TEXT) } : {}),
  }
}

/** Rules are checked in the order of their positions; those without one come last. */
export const positionOf = (value: unknown): number => {
  const position = isFields(value) ? value['position'] : undefined
  return typeof position === 'number' && Number.isFinite(position) ? position : Number.MAX_SAFE_INTEGER
}

/** Configurations that apply to what is written in channels of a type, the nearest first; others are for checks that name them. */
export const configKeys = (type: string): readonly string[] => [`chat:${type}`, 'chat']

/** The block lists that a moderation configuration names, as rules: one list each, `flag` or `remove`. */
export function configRules(key: string, config: unknown): Rule[] {
  const lists = isFields(config) ? config['block_list_config'] : undefined
  if (!isFields(lists) || lists['enabled'] === false || !Array.isArray(lists['rules'])) return []
  return lists['rules'].flatMap((entry: unknown): Rule[] => {
    if (!isFields(entry) || typeof entry['name'] !== 'string') return []
    const { name, action } = entry
    return [
      {
        id: `${key}/${name}`,
        name,
        enabled: true,
        conditions: [{ kind: 'list', list: name }],
        action: action === 'remove' ? 'block' : 'flag',
        everyone: true,
      },
    ]
  })
}

/** The fields of a rule as they are sent. */
export const writeRule = ({ id, name, enabled, conditions, action, text }: Rule): Fields => ({
  id,
  name,
  enabled,
  conditions,
  action,
  ...(text === undefined || text === '' ? {} : { sender_text: text }),
})

function readCondition(value: unknown): RuleCondition | undefined {
  if (!isFields(value)) return undefined
  const { kind, list, words, what, days, role, cid } = value
  if (kind === 'list' && typeof list === 'string' && list !== '') return { kind, list }
  if (kind === 'words' && Array.isArray(words) && words.length <= MAX_WORDS) {
    const texts = words.filter((word) => typeof word === 'string' && word !== '' && word.length <= MAX_WORD)
    return texts.length === words.length ? { kind, words: texts } : undefined
  }
  if (kind === 'has') {
    const found = RULE_FINDS.find((each) => each === what)
    return found && { kind, what: found }
  }
  if (kind === 'joined' && typeof days === 'number' && days > 0 && days <= MAX_DAYS) return { kind, days }
  if (kind === 'role' && typeof role === 'string' && role !== '') return { kind, role }
  if (kind === 'channel' && typeof cid === 'string' && cid !== '') return { kind, cid: asCid(cid) }
  return undefined
}

/** The kind of a block list; `undefined`: one that is not matched here. */
export const listKindOf = (type: string | undefined): ListKind | undefined =>
  type === undefined || type === '' ? 'word' : LIST_KINDS.find((kind) => kind === type)

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
