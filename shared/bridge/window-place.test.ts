import { expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { placeQuery, readPlaceQuery } from './window-place.ts'

test('a channel and a thread survive a round trip through a query', () => {
  const channel = { cid: asCid('messaging:!members-a_b') }
  const thread = { ...channel, parentId: asMessageId('m-1') }
  expect([channel, thread].map((place) => readPlaceQuery(placeQuery(place)))).toEqual([channel, thread])
})

test('any other query opens an ordinary window', () => {
  const odd = ['', '?', '?thread=', '?thread=%E0%A4%A', '?thread=team', '?thread=team%3Aa%2Fm%2Fn', '?thread=%3A%2Fm']
  const channels = ['?channel=', '?channel=team', '?channel=team%3Aa%2Fm', '?channel=%3A', '?thread=team%3Aa']
  for (const query of [...odd, ...channels]) expect(readPlaceQuery(query)).toBeUndefined()
})
