import { expect, test } from 'vitest'
import { placeOfNotification } from './delivery.ts'

const KEY = `demo-${'0a'.repeat(12)}`

test.each([
  [`${KEY} team:plans`, { account: KEY, cid: 'team:plans' }],
  [`${KEY} messaging:!members-a_b root-1`, { account: KEY, cid: 'messaging:!members-a_b', parentId: 'root-1' }],
  [`type=click&tag=${KEY} team:plans`, { account: KEY, cid: 'team:plans' }],
  [`${KEY} messages`, undefined],
  [`${KEY} test`, undefined],
  ['', undefined],
])('%j was about %j', (id, place) => {
  expect(placeOfNotification(id)).toEqual(place)
})
