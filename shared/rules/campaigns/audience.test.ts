import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import { resolveAudience, type Standing } from './audience.ts'

const active = (): Standing => 'active'

describe('the audience of a campaign', () => {
  test('has everyone once, in the order of their ids, with every source that names them', () => {
    const sources = [
      { id: null, ids: ['bob', 'ann'] },
      { id: 's1', ids: ['ann', 'eve'] },
    ]
    expect(resolveAudience(sources, 'root', active)).toEqual({
      people: [
        { id: 'ann', from: [null, 's1'] },
        { id: 'bob', from: [null] },
        { id: 'eve', from: ['s1'] },
      ],
      excluded: [],
      found: 4,
      twice: 1,
    })
  })

  test('leaves out the sender and those who cannot sign in, with the reason', () => {
    const standing = (id: string): Standing =>
      id === 'off' ? 'deactivated' : id === 'gone' ? 'deleted' : id === 'ghost' ? 'unknown' : 'active'
    const ids = ['root', 'off', 'gone', 'ghost', 'ann']
    const { people, excluded } = resolveAudience([{ id: null, ids }], 'root', standing)
    expect(people.map(({ id }) => id)).toEqual(['ann'])
    expect(excluded.map(({ id, why }) => [id, why])).toEqual([
      ['ghost', 'unknown'],
      ['gone', 'deleted'],
      ['off', 'deactivated'],
      ['root', 'sender'],
    ])
  })

  test('adds up: found, without repeats, is who gets it and who is left out, and nobody is in it twice', () => {
    const id = fc.integer({ min: 0, max: 30 }).map((n) => `p${n}`)
    const source = fc.record({ id: fc.constantFrom(null, 's1', 's2'), ids: fc.array(id) })
    const standing = (each: string): Standing => (each.endsWith('7') ? 'deleted' : 'active')
    fc.assert(
      fc.property(fc.array(source), (sources) => {
        const { people, excluded, found, twice } = resolveAudience(sources, 'p3', standing)
        const ids = people.map((person) => person.id)
        expect(new Set(ids).size).toBe(ids.length)
        expect(found - twice).toBe(ids.length + excluded.length)
        expect(ids).toEqual(ids.toSorted())
        const wanted = new Set(
          sources.flatMap((each) => each.ids).filter((each) => each !== 'p3' && !each.endsWith('7')),
        )
        expect(new Set(ids)).toEqual(wanted)
      }),
    )
  })
})
