import { describe, expect, test } from 'vitest'
import type { NewRule } from './ruleset.ts'
import { aLoneEngine, aWireMessage, aWireUser, at, CID, FakeApi, refused, type LoneEngine } from '#kit/lone-engine.ts'
import { asCid } from '#shared/lib/brand.ts'
import type { Ids } from '#main/lib/ids.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { mutated } from '../../../../../tests/sim/answers/mutate.ts'

const RULE = {
  id: 'r1',
  name: 'No deals',
  enabled: true,
  conditions: [{ kind: 'words', words: ['deal*'] }],
  action: 'flag',
  position: 1,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-02T00:00:00Z',
}
const LIST = {
  name: 'ads',
  words: ['half price'],
  type: 'word',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}
const CONFIG = {
  key: 'chat',
  block_list_config: { enabled: true, rules: [{ name: 'ads', action: 'flag' }] },
  av_config: { kept: true },
  updated_at: 5,
}
const ACTIONS = ['flag', 'block', 'bounce', 'shadow', 'mask']
const DRAFT: NewRule & { action: 'mask' } = {
  name: 'new',
  enabled: true,
  conditions: [{ kind: 'words', words: ['deal'] }],
  action: 'mask',
}

function aServer(): FakeApi {
  return new FakeApi()
    .on('QueryModerationRules', () => ({ rules: [RULE, { id: 'odd' }], rule_actions: ACTIONS }))
    .on('ListBlockLists', () => ({ blocklists: [LIST, { name: 'rx', type: 'regex', words: ['a+'] }] }))
    .on('QueryModerationConfigs', () => ({ configs: [CONFIG] }))
    .on('GetConfig', () => ({ config: CONFIG }))
    .on('UpsertConfig', ({ body }) => ({ config: body }))
    .on('UpsertModerationRule', ({ body }) => ({ rule: { ...RULE, ...(body as object) } }))
    .on('QueryReviewQueue', () => ({ items: [{ entity_id: 'm3' }] }))
}

async function managing(api: FakeApi): Promise<LoneEngine> {
  const lone = await aLoneEngine({ api, server: { source: 'secret', api: () => Promise.resolve(api) } })
  await lone.online()
  return lone
}
const rulesOf = (lone: LoneEngine) => lone.engine.handlers.rules

describe('rules', () => {
  test('without a server token they are nobody’s', async () => {
    const lone = await aLoneEngine({ api: aServer() })
    await lone.online()
    await expect(rulesOf(lone).list(undefined, lone.client)).rejects.toMatchObject({ code: 'manage/not-allowed' })
    const step = rulesOf(lone).dryRun({ rule: DRAFT as never, since: undefined, from: undefined }, lone.client)
    await expect(step).rejects.toMatchObject({ code: 'manage/not-allowed' })
  })

  test('are listed in order with what the server can do, and lists of other kinds are marked', async () => {
    const lone = await managing(aServer())
    const { rules, lists, support } = await rulesOf(lone).list(undefined, lone.client)
    expect(rules.map(({ id, version }) => [id, version])).toEqual([['r1', RULE.updated_at]])
    expect(lists.map(({ name, foreign }) => [name, foreign])).toEqual([
      ['ads', undefined],
      ['rx', 'regex'],
    ])
    expect(support).toMatchObject({ actions: ACTIONS, full: true })
  })

  test('a new rule becomes the last one, and a changed one keeps its place and names its version', async () => {
    const lone = await managing(aServer())
    await rulesOf(lone).save({ rule: DRAFT as never, version: undefined }, lone.client)
    await rulesOf(lone).save({ rule: { ...DRAFT, id: 'r1' } as never, version: 'v1' }, lone.client)
    const bodies = lone.api.to('UpsertModerationRule').map(({ body }) => body as Record<string, unknown>)
    expect(bodies.map(({ id, position, expected_updated_at }) => [id, position, expected_updated_at])).toEqual([
      [undefined, 2, undefined],
      ['r1', 1, 'v1'],
    ])
  })

  test('a change of what somebody else changed or deleted is refused as such', async () => {
    const api = aServer().on('UpsertModerationRule', () => {
      throw refused(400, 4)
    })
    const lone = await managing(api)
    const save = () => rulesOf(lone).save({ rule: { ...DRAFT, id: 'r1' } as never, version: 'old' }, lone.client)
    api.on('GetModerationRule', () => ({ rule: RULE }))
    await expect(save()).rejects.toMatchObject({ code: 'rules/changed' })
    api.on('GetModerationRule', () => {
      throw refused(404, 16)
    })
    await expect(save()).rejects.toMatchObject({ code: 'rules/gone' })
  })

  test('a block list that somebody else changed is not overwritten', async () => {
    const api = aServer().on('GetBlockList', () => ({ blocklist: LIST }))
    const lone = await managing(api)
    const list = { name: 'ads', kind: 'word' as const, words: ['a'] }
    const saved = rulesOf(lone).saveList({ list, version: 'older' }, lone.client)
    await expect(saved).rejects.toMatchObject({ code: 'rules/changed' })
    expect(api.to('UpdateBlockList')).toEqual([])
  })

  test('nor is a rule or a list deleted that somebody else has changed since', async () => {
    const api = aServer()
      .on('GetBlockList', () => ({ blocklist: LIST }))
      .on('GetModerationRule', () => ({ rule: RULE }))
      .on('DeleteModerationRule', () => ({}))
      .on('DeleteBlockList', () => ({}))
    const lone = await managing(api)
    const rule = (version: string) => rulesOf(lone).remove({ id: 'r1', version }, lone.client)
    const list = (version: string) => rulesOf(lone).removeList({ name: 'ads', version }, lone.client)
    await expect(rule('older')).rejects.toMatchObject({ code: 'rules/changed' })
    await expect(list('older')).rejects.toMatchObject({ code: 'rules/changed' })
    expect([...api.to('DeleteModerationRule'), ...api.to('DeleteBlockList')]).toEqual([])
    await rule(RULE.updated_at)
    await list(LIST.updated_at)
    expect([...api.to('DeleteModerationRule'), ...api.to('DeleteBlockList')]).toHaveLength(2)
  })
})

describe('a server without rules of this kind', () => {
  const hosted = () => aServer().on('QueryModerationRules', () => ({ rules: [], default_llm_labels: {} }))

  test('offers the lists of its configurations', async () => {
    const lone = await managing(hosted())
    const { rules, support } = await rulesOf(lone).list(undefined, lone.client)
    expect(rules).toMatchObject([{ id: 'chat/ads', action: 'flag', conditions: [{ kind: 'list', list: 'ads' }] }])
    expect(support).toEqual({ actions: ['flag', 'block'], conditions: ['list'], full: false })
  })

  test('a change keeps everything else in the configuration, and one of an older version is refused', async () => {
    const lone = await managing(hosted())
    const rule = {
      name: 'bad',
      enabled: true,
      conditions: [{ kind: 'list' as const, list: 'bad' }],
      action: 'block' as const,
    }
    await rulesOf(lone).save({ rule, version: undefined }, lone.client)
    expect(lone.api.to('UpsertConfig')[0]?.body).toMatchObject({
      key: 'chat',
      av_config: { kept: true },
      block_list_config: {
        rules: [
          { name: 'ads', action: 'flag' },
          { name: 'bad', action: 'remove' },
        ],
      },
    })
    const old = rulesOf(lone).save({ rule: { ...rule, id: 'chat/ads' }, version: '4' }, lone.client)
    await expect(old).rejects.toMatchObject({ code: 'rules/changed' })
    const many = rulesOf(lone).save({ rule: DRAFT as never, version: undefined }, lone.client)
    await expect(many).rejects.toMatchObject({ code: 'rules/not-supported' })
  })
})

describe('a dry run', () => {
  const TEXTS = Array.from({ length: 1_000 }, (_, index) => (index % 10 === 3 ? `deal ${index}` : `text ${index}`))

  async function withHistory(): Promise<LoneEngine> {
    const messages = TEXTS.map((text, index) => ({
      ...aWireMessage(`m${index}`, 1_000 + index, { text }),
      user: index % 20 === 3 ? { ...aWireUser('boss'), role: 'admin' } : aWireUser('ann'),
    }))
    const api = aServer().on('GetOrCreateChannel', () => ({
      channel: { cid: CID, type: 'team', id: CID.split(':')[1], created_at: at(0) },
      members: [],
      read: [],
      messages,
      watchers: [],
    }))
    const lone = await managing(api)
    await lone.engine.handlers.channels.open({ cid: asCid(CID), around: undefined }, lone.client)
    await lone.clock.settle()
    await rulesOf(lone).list(undefined, lone.client)
    return lone
  }

  const run = async (lone: LoneEngine, rule: object, since?: number) => {
    const steps = []
    let from: string | undefined
    do {
      const step = await rulesOf(lone).dryRun({ rule: rule as never, since, from }, lone.client)
      steps.push(step)
      from = step.next
    } while (from !== undefined)
    return steps
  }

  test('goes through the stored history in steps, and finds what the rule decides about', async () => {
    const lone = await withHistory()
    const before = lone.replica.received
    const steps = await run(lone, { ...DRAFT, id: 'r1', position: 1 })
    expect(steps.length).toBeGreaterThan(2)
    expect(steps.reduce((sum, { checked }) => sum + checked, 0)).toBe(1_000)
    const hits = steps.flatMap((step) => step.hits)
    // Administrators are not checked.
    expect(hits.map(({ text }) => text)).toEqual(TEXTS.filter((_, index) => index % 20 === 13).toReversed())
    expect(hits[0]?.ranges).toEqual([{ start: 0, end: 4 }])
    expect(new Set(hits.map(({ reported }) => reported))).toEqual(new Set([false]))
    expect(lone.replica.received).toBe(before)
  })

  test('a rule behind one that matches the same finds nothing, before it everything', async () => {
    const lone = await withHistory()
    const count = async (position: number) =>
      (await run(lone, { ...DRAFT, position })).flatMap(({ hits }) => hits).length
    const behind = await count(2)
    const before = await count(0)
    expect({ behind, before }).toEqual({ behind: 0, before: 50 })
  })

  test('a place that no step gave is refused', async () => {
    const lone = await withHistory()
    const step = rulesOf(lone).dryRun({ rule: DRAFT as never, since: undefined, from: '{"cid":1}' }, lone.client)
    await expect(step).rejects.toMatchObject({ code: 'internal' })
  })
})

test.each([1, 2, 3, 4, 5, 6])('whatever the server answers, there is a list or a reason (seed %i)', async (seed) => {
  const ids = seededIds(seed)
  const api = new FakeApi()
  const answers: Record<string, object> = {
    QueryModerationRules: { rules: [RULE], rule_actions: ACTIONS },
    ListBlockLists: { blocklists: [LIST] },
    QueryModerationConfigs: { configs: [CONFIG] },
    GetConfig: { config: CONFIG },
    UpsertConfig: { config: CONFIG },
    UpsertModerationRule: { rule: RULE },
    QueryReviewQueue: { items: [{ entity_id: 'm' }] },
    GetBlockList: { blocklist: LIST },
    UpdateBlockList: { blocklist: LIST },
    CreateBlockList: { blocklist: LIST },
  }
  for (const [operation, answer] of Object.entries(answers)) {
    api.on(operation, () => broken(answer, ids))
  }
  const lone = await managing(api)
  const calls = rulesOf(lone)
  const list = { name: 'ads', kind: 'word' as const, words: ['a'] }
  const outcomes: string[] = []
  for (let round = 0; round < 60; round += 1) {
    const all = [
      calls.list(undefined, lone.client),
      calls.save({ rule: { ...DRAFT, id: 'r1' } as never, version: 'v' }, lone.client),
      calls.saveList({ list, version: round % 2 ? 'v' : undefined }, lone.client),
      calls.dryRun({ rule: DRAFT as never, since: undefined, from: undefined }, lone.client),
    ]
    for (const each of await Promise.allSettled(all.map((each) => Promise.resolve(each)))) outcomes.push(codeOf(each))
  }
  expect(outcomes.filter((each) => !/^(done$|(server|rules|network)\/)/.test(each))).toEqual([])
})

/** A code of an error that can be shown; `done` without one. */
function codeOf(result: PromiseSettledResult<unknown>): string {
  if (result.status === 'fulfilled') return 'done'
  const { code = String(result.reason) } = result.reason as { code?: string }
  return code
}

/** An answer with some of its parts replaced; always an object, which the client itself makes sure of. */
function broken(answer: object, ids: Ids): object {
  try {
    const bad = mutated(answer, ids)
    return typeof bad === 'object' && bad !== null && !Array.isArray(bad) ? bad : {}
  } catch {
    // A part that was put into itself twice cannot be written as a text.
    return {}
  }
}
