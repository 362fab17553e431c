import type { BlockList, Rule } from '#shared/domain/manage/rules.ts'
import {
  decideBy,
  hitsIn,
  type Decide,
  type Decision,
  configKeys,
  configRules,
  listKindOf,
  positionOf,
  readRule,
} from '#shared/rules/moderation/decide.ts'
import { listMatcher, readText, type Matcher, type ReadText } from '#shared/rules/moderation/lists.ts'
import { cacheOf, type Db } from '../store/db.ts'
import { settingOf, settingsOf } from '../admin/settings.ts'
import type { TypeFlags } from '../channels/channel-types.ts'
import type { Json } from '../http/json.ts'
import { userById } from '../users/user-tables.ts'
import { MS, type Micros } from '../store/time.ts'

export type BlocklistMatch = { readonly action: 'flag' | 'block' | 'shadow_block'; readonly word: string }

/** Prepared rules by channel type, and prepared lists by name: until a setting changes. */
type Prepared = { readonly decide?: Decide; readonly matcher?: Matcher }
const preparedCache = cacheOf<Prepared>(['settings'])

function prepared(db: Db, key: string, make: () => Prepared): Prepared {
  const cache = preparedCache(db)
  const known = cache.get(key) ?? make()
  cache.set(key, known)
  return known
}

function listOf(name: string, json: string): BlockList | undefined {
  const { words, type } = JSON.parse(json) as { words: readonly string[]; type?: string }
  const kind = listKindOf(type)
  return kind && { name, kind, words }
}

/** The part of a text that matches a block list, as written: the first one. */
export function blockedWord(db: Db, listName: string, read: ReadText): string | undefined {
  const { matcher } = prepared(db, `list ${listName}`, () => {
    const row = settingOf(db, 'blocklist', listName)
    const list = row && listOf(listName, row.json)
    return { matcher: list && listMatcher(list) }
  })
  return matcher && hitsIn(read.text, matcher(read))[0]
}

/** The strictest first. */
const ACTIONS = ['block', 'shadow_block', 'flag'] as const

/** The strictest match of the channel's block lists in a text, if any. See docs/wire.md 5.19, 8.14. */
export function matchBlocklists(db: Db, flags: TypeFlags, text: string): BlocklistMatch | undefined {
  const own = flags.blocklist ? [{ blocklist: flags.blocklist, behavior: flags.blocklist_behavior }] : []
  const lists = [...own, ...(flags.blocklists ?? [])]
  if (lists.length === 0) return undefined
  const read = readText(text)
  const found = lists.flatMap(({ blocklist, behavior }): BlocklistMatch[] => {
    const word = blockedWord(db, blocklist, read)
    return word === undefined ? [] : [{ action: ACTIONS.find((each) => each === behavior) ?? 'flag', word }]
  })
  return ACTIONS.flatMap((action) => found.filter((match) => match.action === action))[0]
}

/** A message that is being written or changed. */
type Examined = {
  readonly cid: string
  readonly type: string
  readonly authorId: string
  readonly text: string
  readonly attachments: number
  readonly at: Micros
}

/** The rule that decides about a message: the workspace's own in their order, then its configurations'. */
export function ruleFor(db: Db, { authorId, type, at, ...message }: Examined): Decision | undefined {
  const { decide } = prepared(db, `type ${type}`, () => prepareRules(db, type))
  const author = decide && userById(db, authorId)
  if (!decide || !author) return undefined
  return decide({ ...message, role: author.role, joinedAt: author.created_at / MS, at: at / MS })
}

function prepareRules(db: Db, type: string): Prepared {
  const own = settingsOf(db, 'moderation_rule')
    .map(({ name, json }) => ({ ...(JSON.parse(json) as Json), id: name }))
    .toSorted((a, b) => positionOf(a) - positionOf(b))
    .flatMap((value) => readRule(value) ?? [])
  const configured = configKeys(type).flatMap((key) => {
    const row = settingOf(db, 'moderation_config', key)
    return row ? configRules(key, JSON.parse(row.json)) : []
  })
  const rules: readonly Rule[] = [...own, ...configured].filter(({ enabled }) => enabled)
  if (rules.length === 0) return {}
  const lists = settingsOf(db, 'blocklist').flatMap(({ name, json }) => listOf(name, json) ?? [])
  return { decide: decideBy(rules, lists) }
}
