// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { parseDeepLink } from '#shared/rules/desktop/deep-link.ts'
import { messageLink } from '../../renderer/features/messages/actions/copy.ts'
import { aMessage, aSession } from '../kit/fake-bridge/index.ts'

const { workspace } = aSession()
const hosted = (url: string) => ({ kind: 'hosted' as const, name: 'Team', demo: false, url })

test.each([
  ['the demo', workspace, 'demo'],
  ['a hosted workspace', hosted('https://chat.example.com:8443/v1'), 'chat.example.com'],
  ['an address with colons in its host', hosted('http://[::1]:80'), '---1-'],
])('a link copied in %s can be opened by the app', (_where, place, name) => {
  const link = messageLink(aMessage({ cid: 'team:release-4-2', id: 'a-b_1' }), place)
  expect(parseDeepLink(link ?? '')).toEqual({
    route: 'message',
    workspace: name,
    cid: 'team:release-4-2',
    messageId: 'a-b_1',
  })
})

test.each([
  [{ cid: 'team:a', id: 'x/../y' }],
  [{ cid: 'team:a b', id: 'x' }],
  [{ cid: 'team', id: 'x' }],
  [{ cid: 'team:a', id: 'я' }],
  [{ cid: 'team:a', id: 'x'.repeat(400) }],
])('no link is made from ids that a link may not contain: %j', (over) => {
  expect(messageLink(aMessage(over), workspace)).toBeUndefined()
})

test('signed out there is nothing to link to', () => {
  expect(messageLink(aMessage(), undefined)).toBeUndefined()
})
