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
  masked,
  listMatcher,
  readText,
  type Matcher,
  type ReadText,
} from '#shared/rules/moderation/decide.ts'
import { MESSAGE_ENTITY, queueForReview } from './flags.ts'
import { cacheOf, type Db } from '../store/db.ts'
import { settingOf, settingsOf } from '../admin/settings.ts'
import type { TypeFlags } from '../channels/channel-types.ts'
import type { Json } from '../http/json.ts'
import { userById } from '../users/user-tables.ts'
import { MS, type Micros, toText } from '../store/time.ts'
import type { Access } from '../channels/access.ts'
import { refuse } from '../http/refusal.ts'
import type { Work } from '../work.ts'
import type { MessageRow } from '../messages/message-table.ts'

type BlocklistMatch = { readonly action: 'flag' | 'block' | 'shadow_block'; readonly word: string }

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
function matchBlocklists(db: Db, flags: TypeFlags, text: string): BlocklistMatch | undefined {
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
function ruleFor(db: Db, { authorId, type, at, ...message }: Examined): Decision | undefined {
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

/** What becomes of a message that rules and block lists were applied to. */
export type Fate = {
  readonly kind: 'kept' | 'hidden' | 'returned'
  /** The text with the matching parts replaced; absent: as written. */
  readonly text?: string
  /** What its sender is shown; absent: nothing. */
  readonly note?: Json
  /** What moderators find in the review queue; absent: nothing. */
  readonly report?: {
    readonly flag: Json
    readonly recommended: string
    readonly original: string
    readonly key?: string
  }
}

export const KEPT: Fate = { kind: 'kept' }

type Content = { readonly text: string; readonly attachments: number }

/** Applies the rules of the workspace, then the block lists of the channel. See docs/wire.md 5.26, 8.14. */
export function moderated(work: Work, access: Access, authorId: string, content: Content): Fate {
  const { cid, type } = access.channel
  const decision = ruleFor(work.db, { ...content, cid, type, authorId, at: work.now })
  if (decision) return byRule(work, decision, content.text)
  const match = matchBlocklists(work.db, access.flags, content.text)
  return match ? byList(work, match, content.text) : KEPT
}

/** What moderators are advised to do; the names are those of the contract. */
const ADVICE = { flag: 'flag', mask: 'flag', block: 'remove', shadow: 'shadow_block', bounce: 'bounce' } as const

function byRule(work: Work, { rule, ranges }: Decision, original: string): Fate {
  const flag = {
    type: 'rule',
    reason: rule.name,
    labels: hitsIn(original, ranges).slice(0, MAX_LABELS),
    rule_id: rule.id,
    action: rule.action,
    created_at: toText(work.now),
  }
  const report = { flag, recommended: ADVICE[rule.action], original, key: `rule:${rule.id}`.slice(0, 255) }
  const named = { rule: rule.name, ...(rule.text === undefined ? {} : { text: rule.text }) }
  switch (rule.action) {
    case 'flag':
      return { kind: 'kept', report }
    case 'mask':
      return { kind: 'kept', text: masked(original, ranges), report }
    case 'shadow':
      return { kind: 'hidden', report }
    case 'block':
      return { kind: 'hidden', report, note: { action: 'block', ...named } }
    case 'bounce':
      return { kind: 'returned', note: { action: 'bounce', original_text: original, ...named } }
  }
}

const MAX_LABELS = 20

function byList(work: Work, { action, word }: BlocklistMatch, original: string): Fate {
  const flag = { type: 'blocklist', labels: [word], created_at: toText(work.now) }
  const report = { flag, recommended: action === 'block' ? 'remove' : action, original }
  if (action === 'block') return { kind: 'returned', report, note: { action: 'remove', original_text: original } }
  return { kind: action === 'shadow_block' ? 'hidden' : 'kept', report }
}

const BLOCKED = 'Message was blocked by moderation policies'

/** Returned to its author, neither stored nor shown to others. See docs/wire.md 1.7, code 73. */
export function returned(work: Work, row: MessageRow, fate: Fate): MessageRow {
  report(work, row, fate)
  return {
    ...row,
    type: 'error',
    text: BLOCKED,
    attachments: '[]',
    mentions: '[]',
    extra: JSON.stringify({ moderation: fate.note }),
  }
}

/** Queues a message for moderators, with the text as it was written. */
export function report(work: Work, row: Pick<MessageRow, 'id' | 'user_id'>, { report: made }: Fate): void {
  if (!made) return
  queueForReview(work, {
    entityType: MESSAGE_ENTITY,
    entityId: row.id,
    creatorId: row.user_id,
    flag: made.flag,
    recommended: made.recommended,
    configKey: made.key,
    payload: { texts: [made.original] },
  })
}

/**
 * Applies rules and block lists to an edit: a text that would be hidden or returned is refused, naming the rule, because
 * the message stays as it was. Returns what the edit changes.
 */
export function moderatedEdit(
  work: Work,
  access: Access,
  row: MessageRow,
  edit: { readonly text: string; readonly attachments: readonly unknown[] },
): { readonly text?: string } {
  if (edit.text === row.text) return {}
  const fate = moderated(work, access, row.user_id, { text: edit.text, attachments: edit.attachments.length })
  if (fate.kind === 'kept') {
    report(work, row, fate)
    return fate.text === undefined ? {} : { text: fate.text }
  }
  const rule = fate.report?.flag['reason'] ?? fate.note?.['rule']
  return refuse('input', typeof rule === 'string' ? `${BLOCKED}: ${rule}` : BLOCKED)
}
