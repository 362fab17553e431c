import {
  type ListedBlockList,
  type ListedRule,
  type Rule,
  type Rules,
  type RuleSupport,
  RULE_ACTIONS,
} from '#shared/domain/manage/rules.ts'
import { AppError } from '#shared/lib/app-error.ts'
import {
  writeRule,
  configKeys,
  configRules,
  listKindOf,
  positionOf,
  readRule,
} from '#shared/rules/moderation/decide.ts'
import { createBlocklist, deleteBlocklist, getBlocklist, listBlocklists, updateBlocklist } from '#shared/wire/admin.ts'
import {
  deleteModerationRule,
  getModerationConfig,
  getModerationRule,
  queryModerationConfigs,
  queryModerationRules,
  upsertModerationConfig,
  upsertModerationRule,
} from '#shared/wire/moderation.ts'
import { ApiError } from '../../../api/errors.ts'
import type { EngineApi } from '../../../context.ts'
import { asList, asWire, textOf, versionOf } from '../../../decode/read.ts'

/** Requests of one call. */
export type Access = { readonly api: EngineApi; readonly signal: AbortSignal }

/** A rule to be stored; without an id a new one. */
export type NewRule = Omit<Rule, 'id'> & { readonly id?: string; readonly position?: number }

/** What a server does with rules: our own has rules of several conditions, others name block lists in configurations. */
type Ruleset = {
  readonly support: RuleSupport
  readonly rules: readonly ListedRule[]
  save(rule: NewRule, version: string | undefined): Promise<ListedRule>
  remove(id: string, version: string): Promise<void>
}

const PAGE = 100
/** More are not shown: a person reads this list. */
const MAX_PAGES = 10

export async function loadRuleset(access: Access): Promise<Ruleset> {
  const { api, signal } = access
  const first = await api.send(queryModerationRules, { body: { limit: PAGE }, signal })
  const actions = RULE_ACTIONS.filter((action) => asList(first.rule_actions).includes(action))
  if (actions.length === 0) return configured(access)
  const found = [...asList(first.rules)]
  let next = textOf(first.next)
  for (let page = 1; next !== undefined && next !== '' && page < MAX_PAGES; page += 1) {
    const reply = await api.send(queryModerationRules, { body: { limit: PAGE, next }, signal })
    found.push(...asList(reply.rules))
    next = textOf(reply.next)
  }
  const rules = found.flatMap((value) => decodeRule(value) ?? []).toSorted((a, b) => a.position - b.position)
  return own(access, rules, {
    actions,
    conditions: ['list', 'words', 'has', 'joined', 'role', 'channel'],
    full: true,
  })
}

function own(access: Access, rules: readonly ListedRule[], support: RuleSupport): Ruleset {
  const { api, signal } = access
  return {
    support,
    rules,
    async save({ id, position, ...rule }, version) {
      const last = Math.max(0, ...rules.map((each) => (each.position < Number.MAX_SAFE_INTEGER ? each.position : 0)))
      const known = rules.find((each) => each.id === id)
      const { id: _new, ...fields } = writeRule({ ...rule, id: id ?? '' })
      const body = {
        ...fields,
        name: rule.name,
        ...(id === undefined ? {} : { id }),
        ...(version === undefined ? {} : { expected_updated_at: version }),
        position: position ?? known?.position ?? last + 1,
      }
      const stored = await api.send(upsertModerationRule, { body, signal }).catch(async (error: unknown) => {
        if (id === undefined || version === undefined || !isRefused(error)) throw error
        throw (
          (await changedElsewhere(() => api.send(getModerationRule, { params: { id }, signal }), 'rule', version)) ??
          error
        )
      })
      return decodeRule(stored.rule) ?? missing()
    },
    async remove(id, version) {
      const changed = await changedElsewhere(
        () => api.send(getModerationRule, { params: { id }, signal }),
        'rule',
        version,
      )
      if (changed) throw changed
      await api.send(deleteModerationRule, { params: { id }, signal })
    },
  }
}

/** Configurations that are changed here when a server has none yet. */
const DEFAULT_KEY = 'chat'

async function configured(access: Access): Promise<Ruleset> {
  const { api, signal } = access
  const reply = await api.send(queryModerationConfigs, { body: { limit: PAGE }, signal })
  const rules = asList(reply.configs).flatMap(decodeConfig)
  const placeOf = (id: string): { key: string; name: string } => {
    const at = id.indexOf('/')
    return { key: id.slice(0, at), name: id.slice(at + 1) }
  }
  /** Reads the configuration anew, so that what others changed in it stays. */
  const change = async (key: string, edit: (entries: readonly Entry[]) => readonly Entry[], version?: string) => {
    const known = await api.send(getModerationConfig, { params: { key }, query: {}, signal }).then(
      ({ config }) => asWire(config),
      (error: unknown) => {
        if (error instanceof ApiError && error.class === 'gone') return undefined
        throw error
      },
    )
    if (version !== undefined && versionOf(known) !== version) throw new AppError('rules/changed')
    const block = asWire(known?.['block_list_config']) ?? {}
    const entries = asList(block['rules']).flatMap((entry): Entry[] => {
      const wire = asWire(entry)
      return wire ? [wire] : []
    })
    const { created_at: _created, updated_at: _updated, ...rest } = known ?? {}
    const next = { ...block, enabled: true, rules: edit(entries) }
    const { config } = await api.send(upsertModerationConfig, {
      body: { ...rest, key, block_list_config: next },
      signal,
    })
    return decodeConfig(config)
  }
  return {
    support: { actions: ['flag', 'block'], conditions: ['list'], full: false },
    rules,
    async save({ id, conditions, action }, version) {
      const [condition] = conditions
      if (condition?.kind !== 'list' || conditions.length > 1) throw new AppError('rules/not-supported')
      const entry = { name: condition.list, action: action === 'block' ? 'remove' : 'flag' }
      const { key, name } = id === undefined ? { key: DEFAULT_KEY, name: undefined } : placeOf(id)
      const after = await change(
        key,
        (entries) => {
          const others = entries.filter((each) => each['name'] !== name && each['name'] !== entry.name)
          return [...others, entry]
        },
        version,
      )
      return after.find((each) => each.name === entry.name) ?? missing()
    },
    async remove(id, version) {
      const { key, name } = placeOf(id)
      await change(key, (entries) => entries.filter((each) => each['name'] !== name), version)
    },
  }
}

/** The rules of the configurations that apply to messages of a channel type, as our server has them beside its own. */
export async function loadConfigured({ api, signal }: Access, type: string): Promise<readonly Rule[]> {
  const reply = await api.send(queryModerationConfigs, { body: { limit: PAGE }, signal })
  const configs = asList(reply.configs).map(asWire)
  return configKeys(type).flatMap((key) => configRules(key, configs.find((config) => config?.['key'] === key) ?? {}))
}

type Entry = Readonly<Record<string, unknown>>

async function loadLists({ api, signal }: Access): Promise<readonly ListedBlockList[]> {
  return asList((await api.send(listBlocklists, { query: {}, signal })).blocklists).flatMap(
    (value) => decodeList(value) ?? [],
  )
}

export async function loadRules(access: Access): Promise<Rules> {
  const [{ rules, support }, lists] = await Promise.all([loadRuleset(access), loadLists(access)])
  return { rules, lists, support }
}

export async function saveList(
  { api, signal }: Access,
  { name, kind, words }: Pick<ListedBlockList, 'name' | 'kind' | 'words'>,
  version: string | undefined,
): Promise<ListedBlockList> {
  const unique = [...new Set(words)]
  if (version === undefined) {
    const made = await api.send(createBlocklist, { body: { name, words: unique, type: kind }, signal })
    return decodeList(made.blocklist) ?? missing()
  }
  const current = () => api.send(getBlocklist, { params: { name }, signal })
  // Servers that do not know the expected version are asked first.
  const changed = await changedElsewhere(current, 'blocklist', version)
  if (changed) throw changed
  const body = { words: unique, type: kind, expected_updated_at: version }
  const stored = await api.send(updateBlocklist, { params: { name }, body, signal }).catch(async (error: unknown) => {
    if (!isRefused(error)) throw error
    throw (await changedElsewhere(current, 'blocklist', version)) ?? error
  })
  return decodeList(asWire(stored)?.['blocklist']) ?? { name, kind, words: unique, version: '' }
}

export async function removeList({ api, signal }: Access, name: string, version: string): Promise<void> {
  const changed = await changedElsewhere(
    () => api.send(getBlocklist, { params: { name }, signal }),
    'blocklist',
    version,
  )
  if (changed) throw changed
  await api.send(deleteBlocklist, { params: { name }, signal })
}

const isRefused = (error: unknown): boolean => error instanceof ApiError && error.class === 'invalid'

/** Why a change was refused, if someone else was first. */
async function changedElsewhere(
  load: () => Promise<object>,
  field: 'rule' | 'blocklist',
  version: string,
): Promise<AppError | undefined> {
  try {
    const stored = asWire(asWire(await load())?.[field])
    return versionOf(stored) === version ? undefined : new AppError('rules/changed')
  } catch (error) {
    if (error instanceof ApiError && error.class === 'gone') return new AppError('rules/gone')
    throw error
  }
}

function missing(): never {
  throw new AppError('server/unavailable')
}

/** A rule of our own server. `undefined`: one of another shape. */
function decodeRule(value: unknown): ListedRule | undefined {
  const wire = asWire(value)
  const rule = readRule(value)
  return wire && rule && { ...rule, version: versionOf(wire), position: positionOf(value) }
}

/** A moderation configuration: the block lists that it names, as rules. */
function decodeConfig(value: unknown): readonly ListedRule[] {
  const wire = asWire(value)
  const key = textOf(wire?.['key'])
  if (!wire || key === undefined || key === '') return []
  return configRules(key, wire).map((rule, position) => ({ ...rule, version: versionOf(wire), position }))
}

function decodeList(value: unknown): ListedBlockList | undefined {
  const wire = asWire(value)
  const name = textOf(wire?.['name'])
  if (!wire || name === undefined || name === '') return undefined
  const type = textOf(wire['type'])
  const kind = listKindOf(type)
  return {
    name,
    kind: kind ?? 'word',
    words: asList(wire['words']).flatMap((word) => textOf(word) ?? []),
    version: versionOf(wire),
    ...(kind === undefined ? { foreign: type } : {}),
  }
}
