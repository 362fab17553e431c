import { expect, test } from 'vitest'
import { distinctId } from '#main/lib/ids.ts'
import { NEW_TYPE, withFlags } from './channel-types.ts'

test('flags of the wrong kind are ignored', () => {
  const flags = withFlags(NEW_TYPE, { reactions: false, replies: 'no', automod: 'x' }, 'channel')
  expect(flags).toMatchObject({ reactions: false, replies: true, automod: 'disabled' })
})

test('the same users have the same distinct id in any order', () => {
  expect(distinctId(['b', 'a', 'a'])).toBe(distinctId(['a', 'b']))
  expect(distinctId(['a', 'b'])).not.toBe(distinctId(['a', 'c']))
})
