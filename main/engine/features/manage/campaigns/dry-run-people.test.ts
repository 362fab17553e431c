import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { EXCLUSIONS, REACHES } from '#shared/domain/manage/campaigns.ts'
import { DryRunPeople, type DryRunProfile, type DryRunRow } from './dry-run-people.ts'

const ids = fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), { maxLength: 30 })
const custom = fc.dictionary(
  fc.string().filter((name) => name !== '__proto__'),
  fc.oneof(fc.string(), fc.integer(), fc.boolean()),
)
const aProfile = (id: string): fc.Arbitrary<DryRunProfile> =>
  fc.record({
    source: fc.record({
      id: fc.constant(id),
      name: fc.option(fc.string({ unit: 'grapheme' })),
      language: fc.option(fc.string()),
      custom,
    }),
    standing: fc.constantFrom('active', 'deactivated', 'deleted', 'unknown'),
    timeZone: fc.constantFrom(undefined, 'Asia/Tokyo', 'Europe/Lisbon'),
  })
const aRow: fc.Arbitrary<DryRunRow> = fc.record({
  reach: fc.constantFrom(...REACHES),
  why: fc.constantFrom(undefined, ...EXCLUSIONS),
  from: fc.integer({ min: 1, max: 2 ** 26 - 1 }),
  missing: fc.uniqueArray(fc.constantFrom('receiver.name', 'channel.name'), { maxLength: 2 }),
  channel: fc.option(fc.record({ id: fc.string(), name: fc.string(), custom }), { nil: undefined }),
})
const everyone = ids.chain((all) => fc.tuple(...all.map((id) => fc.tuple(aProfile(id), aRow))))

test('whatever is known of people is read again as it was, in the order in which they were listed', () => {
  fc.assert(
    fc.property(everyone, (people) => {
      const packed = new DryRunPeople()
      for (const [profile] of people) expect(packed.note(profile.source.id, profile)).toBe(true)
      for (const [{ source, standing }] of people) {
        expect({ standing: packed.standingOf(source.id), source: packed.sourceOf(source.id) }).toEqual({
          standing,
          source,
        })
      }
      for (const [{ source }, row] of people) packed.addRow(source.id, row)
      packed.close()
      let place = 0
      const expected = people.map(([{ source, timeZone }, row]) => ({
        ...row,
        source,
        zone: timeZone,
        place: row.why === undefined ? (place += 1) : undefined,
      }))
      const read = people.map((_, row) => ({
        reach: packed.reachAt(row),
        why: packed.whyAt(row),
        from: packed.fromAt(row),
        missing: packed.missingAt(row),
        channel: packed.channelAt(row),
        source: packed.sourceAt(row),
        zone: packed.zoneAt(row),
        place: packed.placeAt(row),
      }))
      expect(read).toEqual(expected)
      expect(packed.size).toBe(people.length)
    }),
  )
})

test('somebody who is found twice is kept once, and whom nobody knows has only an id', () => {
  const packed = new DryRunPeople()
  const profile: DryRunProfile = { source: { id: 'ann', name: 'Ann', custom: {} }, standing: 'active' }
  expect(packed.note('ann', profile)).toBe(true)
  expect(packed.note('ann', { ...profile, standing: 'deleted' })).toBe(false)
  expect(packed.standingOf('ann')).toBe('active')
  expect(packed.standingOf('ghost')).toBe('unknown')
  expect(packed.isKnown('ghost')).toBe(false)
  packed.addRow('ghost', { reach: 'unknown', why: 'unknown', from: 1, missing: [] })
  expect(packed.sourceAt(0)).toMatchObject({ id: 'ghost', name: null })
})

/** Bytes that are held, after everything that is not was let go. */
function held(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const CROWD = 100_000

test('a hundred thousand people take few bytes each, and none when they are let go', () => {
  const before = held()
  let packed: DryRunPeople | undefined = new DryRunPeople()
  for (let at = 0; at < CROWD; at += 1) {
    const id = `target-${String(at).padStart(6, '0')}`
    const source = { id, name: `Somebody with the name ${at}`, language: 'en', custom: { region: `region ${at % 50}` } }
    packed.note(id, { source, standing: 'active', timeZone: at % 2 === 0 ? 'Asia/Tokyo' : undefined })
  }
  for (let at = 0; at < CROWD; at += 1) {
    packed.addRow(`target-${String(at).padStart(6, '0')}`, { reach: 'new', from: 3, missing: ['receiver.hut'] })
  }
  packed.close()
  const each = (held() - before) / CROWD
  expect(packed.size).toBe(CROWD)
  // The bytes of what is known of one of them are 80, their numbers 36; what is full grows by half.
  expect(each).toBeLessThan(200)
  packed = undefined
  expect((held() - before) / CROWD).toBeLessThan(5)
})
