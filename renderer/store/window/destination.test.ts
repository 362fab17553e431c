import { expect, test } from 'vitest'
import type { DeepLink } from '#shared/domain/desktop/desktop.ts'
import { asCid } from '#shared/lib/brand.ts'
import { aSession, changes, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { createEngineClient } from '../../bridge/client.ts'
import { changesApplied } from '../entities.ts'
import { openDestination } from './destination.ts'
import { createStore } from '../store.ts'

function follow(link: DeepLink) {
  const store = createStore(createEngineClient(createFakeBridge()))
  store.dispatch(changesApplied(changes(1, { session: { self: aSession() } })))
  openDestination(store.dispatch, { type: 'link', link })
  return store.getState().ui
}

const CID = asCid('team:release-4-2')

test('a link of this workspace opens its channel, message or person', () => {
  expect(follow({ route: 'channel', workspace: 'demo', cid: CID }).route).toEqual({ view: 'channel', cid: CID })
  const toMessage = follow({ route: 'message', workspace: 'demo', cid: CID, messageId: 'm-1' })
  expect(toMessage.route).toMatchObject({ cid: CID })
  expect(toMessage.jump).toMatchObject({ cid: CID, messageId: 'm-1' })
  expect(follow({ route: 'user', workspace: 'demo', userId: 'jonas' }).dialog).toEqual({
    kind: 'person',
    userId: 'jonas',
  })
})

test('a link of another workspace opens a dialog that shows its target', () => {
  const link = { route: 'channel', workspace: 'chat.example.com', cid: CID } as const
  const { route, dialog } = follow(link)
  expect(route).toEqual({ view: 'home' })
  expect(dialog).toEqual({ kind: 'elsewhere', link })
  const invite = { route: 'invite', workspace: 'demo', code: 'abcdefgh' } as const
  expect(follow(invite).dialog).toEqual({ kind: 'elsewhere', link: invite })
})

test('settings, a search and a new message are opened, never changed or sent', () => {
  expect(follow({ route: 'new' }).dialog).toEqual({ kind: 'new-direct' })
  expect(follow({ route: 'settings', section: 'notifications' }).route).toEqual({
    view: 'settings',
    section: 'notifications',
  })
  expect(follow({ route: 'search', text: 'banner plan' }).search?.text).toBe('banner plan')
})
