import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import { Audience, exclusionOf, sourcesIn } from './campaigns.ts'

describe('the audience of a campaign', () => {
  test('has everyone once, in the order of their ids, with every source that names them', () => {
    const audience = new Audience()
    audience.add(0, ['bob', 'ann'])
    audience.add(25, ['ann'])
    audience.add(25, ['eve'])
    expect(audience.ids()).toEqual(['ann', 'bob', 'eve'])
    expect(audience.ids().map((id) => sourcesIn(audience.from(id)))).toEqual([[0, 25], [0], [25]])
    expect({ found: audience.found, twice: audience.twice }).toEqual({ found: 4, twice: 1 })
  })

  test.each([
    ['root', 'active', 'sender'],
    ['off', 'deactivated', 'deactivated'],
    ['gone', 'deleted', 'deleted'],
    ['ghost', 'unknown', 'unknown'],
    ['ann', 'active', undefined],
  ] as const)('of %s, who is %s, says whether and why they are left out', (id, standing, why) => {
    expect(exclusionOf(id, 'root', standing)).toBe(why)
  })

  test('adds up: found, without repeats, is who is in it, each with the sources that named them', () => {
    const id = fc.integer({ min: 0, max: 30 }).map((n) => `p${n}`)
    const source = fc.record({ source: fc.integer({ min: 0, max: 25 }), ids: fc.array(id) })
    fc.assert(
      fc.property(fc.array(source), (sources) => {
        const audience = new Audience()
        for (const { source: number, ids } of sources) audience.add(number, ids)
        const ids = audience.ids()
        expect(new Set(ids)).toEqual(new Set(sources.flatMap((each) => each.ids)))
        expect(ids).toEqual([...new Set(ids)].toSorted())
        expect(audience.found - audience.twice).toBe(ids.length)
        for (const each of ids) {
          const named = sources.filter(({ ids: some }) => some.includes(each)).map(({ source: number }) => number)
          expect(sourcesIn(audience.from(each))).toEqual([...new Set(named)].toSorted((a, b) => a - b))
        }
      }),
    )
  })
})
