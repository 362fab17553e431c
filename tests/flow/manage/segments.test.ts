import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FilterGroup, SegmentKind } from '#shared/domain/manage/segments.ts'
import { readFilter, fieldsOf, filterProblem } from '#shared/rules/segments/filter.ts'
import { createWorld, type World } from '#kit/world.ts'

/** Segments, managed by `alice` and `carol`, who have the API secret. */

const PEOPLE = ['alice', 'bob', 'carol', 'dave']

let world: World
beforeAll(async () => {
  world = await createWorld({ people: PEOPLE, channels: ['general', 'random'], withSecret: ['alice', 'carol'] })
  await world.asServer('POST', '/users', {
    users: {
      bob: { id: 'bob', name: 'Łukasz Nowak', language: 'pl', teams: ['qa', 'almaty'], beta: 'android', level: 3 },
      carol: { id: 'carol', name: 'Carol <b>', language: 'en', teams: ['qa'], beta: 'ios', email: 'carol@x.example' },
      dave: { id: 'dave', name: 'Same Name', language: 'pl', level: '3', flags: ['a', 'b'] },
      erin: { id: 'erin', name: 'Same Name', beta: true, level: 10 },
    },
  })
})
afterAll(() => world.stop())

const segments = (userId = 'alice') => world.person(userId).ui.segments
const code = (work: Promise<unknown>) => world.done(work).catch((error: { code: string }) => error.code)
const create = (name: string, more: { kind?: SegmentKind; filter?: string; all?: boolean } = {}) =>
  world.done(segments().create({ kind: 'user', name, ...more }))
const names = async (query: Parameters<ReturnType<typeof segments>['list']>[0] = {}) =>
  (await world.done(segments().list(query))).segments.map(({ name }) => name)

describe('a segment', () => {
  test('is created, found by any part of its name, changed and deleted', async () => {
    const made = await create('Żółta łódź', { filter: '{"language":"pl"}' })
    expect(made).toMatchObject({ kind: 'user', filter: '{"language":"pl"}', all: false, size: 2 })
    expect(await names({ find: 'lodz' })).toEqual(['Żółta łódź'])
    const changed = await world.done(
      segments().change({ id: made.id, version: made.version, name: 'Łódź', filter: '{"language":"en"}' }),
    )
    expect(changed).toMatchObject({ name: 'Łódź', size: 1 })
    expect(await code(segments().change({ id: made.id, version: made.version, name: 'Old' }))).toBe('segments/changed')
    await world.done(segments().remove({ id: made.id }))
    expect(await code(segments().get({ id: made.id }))).toBe('segments/gone')
    expect(await code(segments().remove({ id: made.id }))).toBe('segments/gone')
    expect(await names({ find: 'lodz' })).toEqual([])
  })

  test('of a taken id, or with a filter that the server refuses, is not created', async () => {
    const input = { id: 'mine', kind: 'user', name: 'Mine' } as const
    await world.done(segments().create(input))
    expect(await code(segments().create(input))).toBe('segments/taken')
    expect(await code(segments().create({ ...input, id: 'bad', filter: '{"name":{"$like":"x"}}' }))).toBe(
      'server/input',
    )
    expect(await code(segments().get({ id: 'bad' }))).toBe('segments/gone')
    await world.done(segments().remove({ id: 'mine' }))
  })

  test('of a hundred and twenty is listed in pages, in the order that was asked for', async () => {
    for (let at = 0; at < 120; at += 1) {
      const name = `Many ${String(at).padStart(3, '0')}`
      await world.asServer('POST', '/segments', { id: `many-${at}`, type: at % 2 === 0 ? 'user' : 'channel', name })
    }
    const sort = { by: 'name', direction: 1 } as const
    const found: string[] = []
    let after: string | undefined
    do {
      const page = await world.done(segments().list({ sort, ...(after === undefined ? {} : { after }) }))
      found.push(...page.segments.map(({ name }) => name))
      after = page.next
    } while (after !== undefined)
    expect(found).toEqual(found.toSorted())
    expect(found.filter((name) => name.startsWith('Many')).length).toBe(120)
    expect((await names({ kind: 'channel', sort })).slice(0, 2)).toEqual(['Many 001', 'Many 003'])
    expect(await names({ find: 'many 119' })).toEqual(['Many 119'])
    for (let at = 0; at < 120; at += 1) await world.asServer('DELETE', `/segments/many-${at}`)
  })

  test('is deleted or changed by someone else', async () => {
    const made = await create('Shared')
    await world.asServer('PUT', `/segments/${made.id}`, { description: 'theirs' })
    expect(await code(segments().change({ id: made.id, version: made.version, name: 'Mine' }))).toBe('segments/changed')
    await world.asServer('DELETE', `/segments/${made.id}`)
    expect(await code(segments().addTargets({ id: made.id, targetIds: ['bob'] }))).toBe('segments/gone')
  })
})

describe('two administrators', () => {
  test('who change the same segment at the same moment do not overwrite each other', async () => {
    const { id, version } = await create('Both')
    const outcome = (userId: string, filter: string) =>
      segments(userId)
        .change({ id, version, filter })
        .then(
          (changed) => changed.filter,
          (error: { code: string }) => error.code,
        )
    const [first, second] = [outcome('alice', '{"language":"pl"}'), outcome('carol', '{"language":"en"}')]
    const outcomes = await world.done(Promise.all([first, second]))
    expect(outcomes.filter((each) => each === 'segments/changed')).toHaveLength(1)
    const kept = await world.done(segments().get({ id }))
    expect(outcomes).toContain(kept.segment.filter)
    const again = segments('carol').change({ id, version: kept.segment.version, name: 'Carol was here' })
    expect(await world.done(again)).toMatchObject({ name: 'Carol was here', filter: kept.segment.filter })
    await world.done(segments().remove({ id }))
    expect(await code(segments('carol').change({ id, version, name: 'Late' }))).toBe('segments/gone')
  })
})

describe('a list', () => {
  test('says whom its lines name: by id, by address, by name, and who is meant by none or several', async () => {
    const lines = ['bob', 'carol@x.example', 'Łukasz Nowak', 'Same Name', 'nobody', 'carol@nowhere.example']
    const resolved = await world.done(segments().resolve({ kind: 'user', lines }))
    expect(resolved.map(({ line, found }) => [line, found.map(({ id }) => id).toSorted()])).toEqual([
      ['bob', ['bob']],
      ['carol@x.example', ['carol']],
      ['Łukasz Nowak', ['bob']],
      ['Same Name', ['dave', 'erin']],
      ['nobody', []],
      ['carol@nowhere.example', []],
    ])
    const rooms = await world.done(segments().resolve({ kind: 'channel', lines: ['team:general', 'random', 'none'] }))
    expect(rooms.map(({ found }) => found.map(({ id }) => id))).toEqual([['team:general'], ['team:random'], []])
  })

  test('is added to a segment and removed from it; one that names someone unknown adds nobody', async () => {
    const { id } = await create('List')
    expect(await world.done(segments().addTargets({ id, targetIds: ['bob', 'carol', 'bob'] }))).toMatchObject({
      size: 2,
    })
    expect(await code(segments().addTargets({ id, targetIds: ['dave', 'ghost'] }))).toBe('segments/unknown-target')
    const { targets } = await world.done(segments().targets({ id, kind: 'user' }))
    expect(targets.map((each) => [each.id, each.member?.name])).toEqual([
      ['bob', 'Łukasz Nowak'],
      ['carol', expect.stringContaining('Carol')],
    ])
    const rest = await world.done(segments().targets({ id, kind: 'user', from: 'c' }))
    expect(rest.targets.map((each) => each.id)).toEqual(['carol'])
    expect(await world.done(segments().removeTargets({ id, targetIds: ['bob'] }))).toMatchObject({ size: 1 })
    await world.done(segments().remove({ id }))
  })

  test('of three hundred is read in pages', async () => {
    const { id } = await create('Long')
    const ids = Array.from({ length: 300 }, (_, at) => `p-${String(at).padStart(3, '0')}`)
    for (const part of [ids.slice(0, 100), ids.slice(100, 200), ids.slice(200)]) {
      await world.asServer('POST', '/users', { users: Object.fromEntries(part.map((each) => [each, { id: each }])) })
    }
    await world.done(segments().addTargets({ id, targetIds: ids }))
    const found: string[] = []
    let after: string | undefined
    do {
      const page = await world.done(segments().targets({ id, kind: 'user', ...(after === undefined ? {} : { after }) }))
      found.push(...page.targets.map((each) => each.id))
      after = page.next
    } while (after !== undefined)
    expect(found).toEqual(ids)
    await world.done(segments().remove({ id }))
  })
})

describe('who is in a segment', () => {
  test('is counted in steps, to the last one', async () => {
    const everyone = { kind: 'user', filter: '{}', all: true } as const
    expect(await world.done(segments().count({ kind: 'user', filter: '{"language":"pl"}', all: false }))).toEqual({
      count: 2,
    })
    expect(await world.done(segments().count({ ...everyone, all: false }))).toEqual({ count: 0 })
    const total = (await create('Everyone', { all: true })).size
    expect(total).toBeGreaterThan(300)
    expect(await world.done(segments().count(everyone))).toEqual({ count: total })
    const rooms = { kind: 'channel', filter: '{"type":"team"}', all: false } as const
    expect(await world.done(segments().count(rooms))).toEqual({ count: 2 })
  })

  test('is shown with why', async () => {
    const filter = '{"$or":[{"beta":"android"},{"language":"en"}]}'
    const { id } = await create('Why', { filter })
    await world.done(segments().addTargets({ id, targetIds: ['dave'] }))
    const members = await world.done(segments().members({ id, kind: 'user', filter, all: false }))
    expect(Object.fromEntries(members.map((each) => [each.id, each.reason]))).toEqual({
      bob: { kind: 'matches', conditions: [{ kind: 'condition', field: 'beta', operator: '$eq', value: 'android' }] },
      carol: { kind: 'matches', conditions: [{ kind: 'condition', field: 'language', operator: '$eq', value: 'en' }] },
      dave: { kind: 'byHand' },
    })
    const ask = (targetId: string) =>
      world.done(segments().membership({ id, kind: 'user', filter, all: false, targetId }))
    expect(await ask('dave')).toEqual({ in: true, reason: { kind: 'byHand' } })
    expect(await ask('bob')).toMatchObject({ in: true, reason: { kind: 'matches' } })
    expect(await ask('erin')).toMatchObject({ in: false, failed: { field: 'beta' } })
  })

  test('is the same by the rules of a window and by the server', async () => {
    const filters: readonly Record<string, unknown>[] = [
      { level: 3 },
      { level: { $gt: 2 } },
      { level: { $gte: '1' } },
      { beta: true },
      { flags: { $contains: 'a' } },
      { flags: { $in: ['b', 'c'] } },
      { teams: { $in: ['almaty'] } },
      { teams: { $contains: 'qa' } },
      { name: { $autocomplete: 'luk' } },
      { name: { $q: 'same' } },
      { language: { $in: ['pl', 'ru'] }, $nor: [{ beta: 'android' }] },
      { $nor: [{ language: 'pl' }] },
      { $nor: [{ email: 'carol@x.example' }] },
      { banned: { $ne: true } },
      { id: { $nin: ['bob', 'carol'] } },
      { beta: { $exists: true } },
      { language: null },
      { name: { $lt: 'T' } },
      { created_at: { $lt: '2100-01-01T00:00:00Z' } },
      { $or: [{ level: { $lte: 3 } }, { $and: [{ beta: 'ios' }, { teams: { $contains: 'qa' } }] }] },
    ]
    const ids = [...PEOPLE, 'erin']
    for (const filter of filters) {
      const text = JSON.stringify({ $and: [filter, { id: { $in: ids } }] })
      expect(filterProblem('user', text)).toBeUndefined()
      expect(readFilter(filter)).toMatchObject({ kind: 'group' } satisfies Partial<FilterGroup>)
      const members = await world.done(segments().members({ kind: 'user', filter: text, all: false }))
      const unexplained = members.filter(({ reason }) => reason.kind !== 'matches' || reason.conditions.length === 0)
      expect(unexplained, text).toEqual([])
      for (const targetId of ids.filter((id) => members.every((member) => member.id !== id))) {
        const out = await world.done(segments().membership({ kind: 'user', filter: text, all: false, targetId }))
        expect(out, `${text} ${targetId}`).toMatchObject({ in: false, failed: { kind: 'condition' } })
      }
    }
  })

  test.each(['user', 'channel'] as const)(
    'can be asked for by every field and operator that is offered: %s',
    async (kind) => {
      for (const { name, kind: of, operators } of fieldsOf(kind)) {
        for (const operator of operators) {
          const one = of === 'time' ? '2026-01-31T12:00:00Z' : of === 'number' ? 3 : of === 'flag' ? true : 'excluded'
          const isList = operator === '$in' || operator === '$nin'
          const filter = JSON.stringify({
            [name]: { [operator]: operator === '$exists' ? true : isList ? [one] : one },
          })
          expect(filterProblem(kind, filter), filter).toBeUndefined()
          const counted = await world.done(segments().count({ kind, filter, all: false }))
          expect(counted.count, filter).toBeGreaterThanOrEqual(0)
        }
      }
    },
  )
})

test('campaigns that send to it are named', async () => {
  const { id } = await create('Used')
  await world.asServer('POST', '/campaigns', {
    name: 'News',
    sender_id: 'alice',
    message_template: { text: 'hello' },
    segment_ids: [id],
  })
  expect(await world.done(segments().uses({ id }))).toMatchObject([{ name: 'News', status: 'draft' }])
})

test('without a connection the list is read as it was, with when that was', async () => {
  await create('Kept', { filter: '{"language":"pl"}' })
  const before = await names()
  world.server.crash()
  await world.pass(120_000)
  const list = await segments().list({ find: 'kept' })
  expect(list.segments.map(({ name }) => name)).toEqual(['Kept'])
  expect(list.asOf).toBeLessThan(world.clock.now())
  expect((await segments().list({})).segments.length).toBe(before.length)
  const { segment, asOf } = await segments().get({ id: list.segments[0]?.id ?? '' })
  expect(segment.name).toBe('Kept')
  expect(asOf).toBe(list.asOf)
  await expect(segments().create({ kind: 'user', name: 'x' })).rejects.toMatchObject({ code: 'network/offline' })
  world.server.start()
  await world.pass(60_000)
  expect(await names()).toEqual(before)
})

test('whoever may not manage campaigns is refused', async () => {
  expect(await code(segments('bob').list({}))).toBe('manage/not-allowed')
  expect(await code(segments('bob').create({ kind: 'user', name: 'x' }))).toBe('manage/not-allowed')
  expect(await code(segments('bob').count({ kind: 'user', filter: '{}', all: true }))).toBe('manage/not-allowed')
  await expect(world.as('bob', 'POST', '/segments/query', {})).rejects.toThrow('403')
})
