import { expect, test } from 'vitest'
import { MAX_LEFT_PLACES, type LeftPlaces } from '#shared/domain/settings.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { withLeft, PLACE_MAX_AGE_MS, type ListPosition } from './places.ts'

const NOW = 10 * PLACE_MAX_AGE_MS
const CID = asCid('team:a')
const at = (id: string, offset = 0): ListPosition => ({ position: { key: id, offset }, near: asMessageId(id), at: 5 })
const END: ListPosition = { position: { fromEnd: 0 }, at: 0 }
const left = (listPosition: ListPosition, places: LeftPlaces = {}, now = NOW, who = 'ola', cid = CID): LeftPlaces =>
  withLeft(places, { who, cid, listPosition, now })

test('stores id and time; the end is not stored, and an unchanged place is not written', () => {
  const one = left(at('m', 12.4))
  expect(one).toEqual({ ola: { [CID]: { messageId: 'm', at: 5, offset: 12, leftAt: NOW } } })
  expect(left(at('m', 12.4), one, NOW + 1)).toBe(one)
  expect(left(END, one)).toEqual({})
  const none = {}
  expect(left(END, none)).toBe(none)
})

test('places expire after a day in every account; beyond the limit the oldest is dropped', () => {
  const one = left(at('m'))
  const other = left(at('n'), one, NOW + 1, 'jonas')
  expect(Object.keys(other)).toEqual(['ola', 'jonas'])
  expect(left(at('o'), other, NOW + PLACE_MAX_AGE_MS, 'jonas', asCid('team:b'))).toEqual({
    jonas: { [CID]: expect.anything(), 'team:b': expect.anything() },
  })
  let many: LeftPlaces = {}
  for (let n = 0; n <= MAX_LEFT_PLACES; n++) many = left(at('m'), many, NOW + n, 'ola', asCid(`team:${n}`))
  expect(Object.keys(many['ola'] ?? {})).toHaveLength(MAX_LEFT_PLACES)
  expect(many['ola']).not.toHaveProperty('team:0')
})
