import { expect, test } from 'vitest'
import type { Destination } from '#shared/domain/changes.ts'
import { asCid } from '#shared/lib/brand.ts'
import { aSession, changes, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { changesApplied } from '../store/entities.ts'
import { createStore } from '../store/store.ts'
import { createEngineClient } from './client.ts'
import { createEffectRunner } from './effects.ts'

const CID = asCid('team:release-4-2')

/** What the window shows after main has asked it to open something, as it does for a clicked notification. */
function opened(destination: Destination) {
  const bridge = createFakeBridge()
  const store = createStore(createEngineClient(bridge))
  store.dispatch(changesApplied(changes(1, { session: { self: aSession() } })))
  createEffectRunner(store, bridge.host)(destination)
  return store.getState().ui
}

test('a clicked digest opens catch up for its channel since the last one', () => {
  expect(opened({ type: 'catch-up', cid: CID, since: 5 }).route).toEqual({ view: 'catch-up', cid: CID, since: 5 })
})

test('an account file that is open in main is shown', () => {
  expect(opened({ type: 'account-file', id: 'f1' }).dialog).toEqual({ kind: 'openAccountFile', id: 'f1' })
})

test('a message and a link are opened', () => {
  expect(opened({ type: 'focus', cid: CID, messageId: 'm1' }).jump).toMatchObject({ cid: CID, messageId: 'm1' })
  const link = { route: 'channel', workspace: 'demo', cid: CID } as const
  expect(opened({ type: 'link', link }).route).toEqual({ view: 'channel', cid: CID })
})
