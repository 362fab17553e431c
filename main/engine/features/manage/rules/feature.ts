import * as v from 'valibot'
import type { HandlersOf } from '#shared/bridge/index.ts'
import type { DryRunHit, Rules, DryRunStep } from '#shared/domain/manage/rules.ts'
import type { Placed } from '#shared/domain/message.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { decideBy, type Decide } from '#shared/rules/moderation/decide.ts'
import { queryReviewQueue } from '#shared/wire/moderation.ts'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import * as channels from '#main/cache/channels/channels.ts'
import { END, walk, type WalkedMessage } from '#main/cache/messages/pages.ts'
import * as users from '#main/cache/people/users.ts'
import type { Reader } from '#main/cache/store.ts'
import { defineFeature } from '../../../registry/feature.ts'
import { topicChanged, apiFor, connectedApi, requireRight } from '../authority.ts'
import type { CallContext } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'
import { asList, asWire, textOf } from '../../../decode/read.ts'
import { loadRules, loadRuleset, removeList, saveList, type Access, type NewRule } from './ruleset.ts'

export const rulesFeature = defineFeature({
  // Only administrators receive it. It says that something changed, and the rules are loaded again.
  events: { 'moderation.updated': (_tx, _event, context) => topicChanged(context, 'rules') },
  create: (core: Parameters<typeof rulesCalls>[0]) => ({ calls: { rules: rulesCalls(core) } }),
})

type Parts = Requests & Pick<Core, 'cache' | 'collector' | 'me' | 'memory' | 'server'>

/** The rule that a window tries has this id where it has none. */
const TRIED = 'tried'

/** See docs/wire.md 5.26. */
function rulesCalls(core: Parts): HandlersOf<'rules', CallContext> {
  /** As the last `list` loaded them: a dry run tries one rule among the others, also without a connection. */
  let latest: Rules = NO_RULES
  let prepared: { readonly of: string; readonly rules: Rules; readonly decide: Decide } | undefined
  /** Prepared once for all steps of a dry run. */
  const decideWith = (rule: NewRule, id: string): Decide => {
    const of = JSON.stringify(rule)
    if (prepared?.of !== of || prepared.rules !== latest) {
      prepared = { of, rules: latest, decide: decideBy(withRule(latest, rule, id), matched(latest)) }
    }
    return prepared.decide
  }
  const access = async (): Promise<Access> => ({ api: await connectedApi(core, 'rules'), signal: core.life })
  return {
    async list() {
      latest = await loadRules(await access())
      return latest
    },
    async save({ rule, version }) {
      const saved = await (await loadRuleset(await access())).save(rule, version)
      topicChanged(core, 'rules')
      return saved
    },
    async remove({ id, version }) {
      await (await loadRuleset(await access())).remove(id, version)
      topicChanged(core, 'rules')
    },
    async saveList({ list, version }) {
      const saved = await saveList(await access(), list, version)
      topicChanged(core, 'rules')
      return saved
    },
    async removeList({ name, version }) {
      await removeList(await access(), name, version)
      topicChanged(core, 'rules')
    },
    async dryRun({ rule, since, from }) {
      requireRight(core, 'rules')
      const id = rule.id ?? TRIED
      const decide = decideWith(rule, id)
      const step = core.cache.read((reader) => dryRunStep(reader, decide, id, { since, from }))
      return { ...step, hits: await withReports(core, step.hits) }
    },
  }
}

const NO_RULES: Rules = { rules: [], lists: [], support: { actions: [], conditions: [], full: false } }

/** Lists of kinds that are not matched here are left out. */
const matched = ({ lists }: Rules) => lists.filter(({ foreign }) => foreign === undefined)

/** The rules in their order, with the tried one in its place, switched on. */
function withRule({ rules }: Rules, { position, ...rule }: NewRule, id: string) {
  const known = rules.find((each) => each.id === id)
  const tried = { ...known, ...rule, id, enabled: true, position: position ?? known?.position ?? Number.MAX_VALUE }
  return [...rules.filter((each) => each.id !== id), tried].toSorted((a, b) => a.position - b.position)
}

/** Adds which messages are in the review queue already, where the server says so. */
async function withReports(core: Parts, hits: readonly DryRunHit[]): Promise<readonly DryRunHit[]> {
  if (hits.length === 0 || !core.isHealthy()) return hits
  try {
    const { api } = await apiFor(core, 'review')
    const ids = hits.map(({ messageId }) => messageId)
    const reported = new Set<string>()
    let next: string | undefined
    do {
      const body = { filter: { entity_id: { $in: ids } }, limit: 100, ...(next === undefined ? {} : { next }) }
      const reply = await api.send(queryReviewQueue, { body, signal: core.life })
      for (const item of asList(reply.items)) reported.add(textOf(asWire(item)?.['entity_id']) ?? '')
      next = textOf(reply.next) || undefined
    } while (next !== undefined)
    return hits.map((hit) => ({ ...hit, reported: reported.has(hit.messageId) }))
  } catch (error) {
    if (error instanceof AppError) return hits
    throw error
  }
}

/** Messages per step: one step takes a few milliseconds, and others get their turn in between. */
const STEP = 400

const placeShape = v.object({
  cid: v.pipe(v.string(), v.maxLength(129), v.transform(asCid)),
  beside: v.boolean(),
  at: v.pipe(v.number(), v.finite()),
  id: v.pipe(v.string(), v.maxLength(255)),
})

type Place = { readonly cid: Cid; readonly beside: boolean; readonly before: Placed }

/** Where a step continues, in a form that a window hands back. */
function readPlace(from: string): Place {
  try {
    const { cid, beside, at, id } = v.parse(placeShape, JSON.parse(from))
    return { cid, beside, before: { createdAt: at, id } }
  } catch (cause) {
    throw new AppError('internal', { detail: 'not a place of a dry run', cause })
  }
}

const writePlace = ({ cid, beside, before }: Place): string =>
  JSON.stringify({ cid, beside, at: before.createdAt, id: before.id })

/**
 * Looks at the next stored messages: which of them the rule `id` decides about. Writes nothing.
 *
 * @param from where the previous step ended; absent: at the beginning
 */
function dryRunStep(
  reader: Reader,
  decide: Decide,
  id: string,
  { since = 0, from }: { readonly since?: number; readonly from?: string },
): DryRunStep {
  let place = from === undefined ? nextPlace(reader) : readPlace(from)
  const read: WalkedMessage[] = []
  while (place !== undefined && read.length < STEP) {
    const wanted = STEP - read.length
    const rows = walk(reader, { ...place, since }, wanted)
    read.push(...rows)
    const last = rows.at(-1)
    place = last !== undefined && rows.length === wanted ? { ...place, before: last } : nextPlace(reader, place)
  }
  const readable = read.filter(({ type }) => type === 'regular' || type === 'reply')
  return {
    hits: hitsAmong(reader, decide, id, readable),
    checked: readable.length,
    unreadable: read.filter(({ type }) => type === 'deleted').length,
    cids: [...new Set(readable.map(({ cid }) => cid))],
    next: place && writePlace(place),
  }
}

/** First the timeline of a channel, then its replies that are not in it, then the next channel. */
function nextPlace(reader: Reader, place?: Place): Place | undefined {
  if (place !== undefined && !place.beside) return { cid: place.cid, beside: true, before: END }
  const cid = channels.cidAfter(reader, place?.cid)
  return cid === undefined ? undefined : { cid, beside: false, before: END }
}

function hitsAmong(reader: Reader, decide: Decide, id: string, read: readonly WalkedMessage[]): DryRunHit[] {
  const authors = new Map(
    users.byIds(reader, [...new Set(read.map(({ userId }) => userId))]).map((row) => [row.id, row]),
  )
  return read.flatMap(({ id: messageId, cid, userId, text, attachments, createdAt }): DryRunHit[] => {
    const author = authors.get(userId)
    const decision = decide({
      text,
      attachments,
      cid,
      role: author?.role ?? 'user',
      joinedAt: author?.createdAt,
      at: createdAt,
    })
    if (decision?.rule.id !== id) return []
    return [{ messageId, cid, userId, text, at: createdAt, ranges: decision.ranges }]
  })
}
