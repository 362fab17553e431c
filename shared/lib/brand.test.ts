import { expect, test } from 'vitest'
import { isCid, isMessageId } from './brand.ts'

test.each(['team:general', 'messaging:!members-a_b', `t:${'a'.repeat(127)}`])('%j is the id of a channel', (id) => {
  expect(isCid(id)).toBe(true)
})

test.each(['', 'general', 'team:', ':general', 'team:gen eral', 'a:b:c', `t:${'a'.repeat(128)}`])(
  '%j is none',
  (id) => {
    expect(isCid(id)).toBe(false)
  },
)

test('the id of a message is any clean text of at most 255 characters', () => {
  expect(['m-1', 'é'.repeat(255)].map(isMessageId)).toEqual([true, true])
  expect(['', 'x'.repeat(256), 'a\u0000', '\uD800'].map(isMessageId)).toEqual([false, false, false, false])
})
