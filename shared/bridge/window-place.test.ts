import { expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { readThreadQuery, threadQuery } from './window-place.ts'

test('a thread finds its way through an address', () => {
  const place = { cid: asCid('messaging:!members-a_b'), parentId: asMessageId('m-1') }
  expect(readThreadQuery(threadQuery(place))).toEqual(place)
})

test('anything else is an ordinary window', () => {
  const odd = ['', '?', '?thread=', '?thread=%E0%A4%A', '?thread=team', '?thread=team%3Aa%2Fm%2Fn', '?thread=%3A%2Fm']
  expect(odd.map(readThreadQuery)).toEqual(odd.map(() => undefined))
})
