import type { HandlersOf } from '#shared/bridge/index.ts'
import type { DryRunHit, Rules } from '#shared/domain/manage/rules.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { decideBy, type Decide } from '#shared/rules/moderation/decide.ts'
import { queryReviewQueue } from '#shared/wire/moderation.ts'
import type { CallContext } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'
import { asList, asWire, textOf } from '../../../decode/read.ts'
import { apiFor, connectedApi, mayManage, topicChanged } from '../authority.ts'
import { dryRunStep } from './dry-run.ts'
import { loadRules, loadRuleset, removeList, saveList, type Access, type NewRule } from './ruleset.ts'

type Parts = Requests & Pick<Core, 'cache' | 'collector' | 'me' | 'memory' | 'server'>

/** The rule that a window tries has this id where it has none. */
const TRIED = 'tried'

/** See docs/wire.md 5.26. */
export function rulesCalls(core: Parts): HandlersOf<'rules', CallContext> {
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
      if (!mayManage(core, 'rules')) throw new AppError('manage/not-allowed', { params: { right: 'rules' } })
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
