import { expect, test } from 'vitest'
import { MANAGE_RIGHTS, rightsOf } from './manage.ts'

test('an ordinary person administers nothing, not even in a local workspace of this computer', () => {
  expect(rightsOf('user', 'role')).toEqual([])
  expect(rightsOf('user', 'owner')).toEqual([])
  expect(rightsOf('guest', 'owner')).toEqual([])
})

test('a moderator reviews and bans in channels', () => {
  expect(rightsOf('moderator', 'role')).toEqual(['review', 'ban'])
  expect(rightsOf('moderator', 'owner')).toEqual(['review', 'ban'])
})

test('an administrator also bans everywhere', () => {
  expect(rightsOf('admin', 'role')).toEqual(['review', 'ban', 'ban-everywhere'])
})

test('the owner of a local workspace, and whoever stored an API secret, administers everything there is', () => {
  expect(rightsOf('admin', 'owner', true)).toEqual(MANAGE_RIGHTS)
  expect(rightsOf('admin', 'secret', true)).toEqual(MANAGE_RIGHTS.filter((right) => right !== 'imports'))
  expect(rightsOf('user', 'secret', true)).toEqual(
    MANAGE_RIGHTS.filter((right) => right !== 'imports' && right !== 'integrations'),
  )
  expect(rightsOf('admin', 'owner')).toContain('imports')
})

test('integrations are offered to administrators, and only where the server knows them', () => {
  expect(rightsOf('admin', 'role', true)).toContain('integrations')
  for (const others of [rightsOf('moderator', 'role', true), rightsOf('admin', 'secret'), rightsOf('admin', 'owner')]) {
    expect(others).not.toContain('integrations')
  }
})

test('the history of actions is offered only where the server keeps one, to all who moderate', () => {
  expect(rightsOf('user', 'secret')).not.toContain('history')
  expect(rightsOf('moderator', 'role', true)).toEqual(['review', 'ban', 'history'])
  expect(rightsOf('user', 'role', true)).toEqual([])
})
