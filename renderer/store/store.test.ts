import { expect, test } from 'vitest'
import { aMessage, aSession, byId, changes, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { createEngineClient } from '../bridge/client.ts'
import { submitted } from './composers/composers.ts'
import { messageForeseen, replicaAttached } from './entities.ts'
import { createStore } from './store.ts'
import { dialogOpened, splitEntered } from './window/ui.ts'

test('an action that changes nothing is heard by no one, and the next change is', () => {
  const store = createStore(createEngineClient(createFakeBridge()))
  let heard = 0
  const stop = store.subscribe(() => (heard += 1))
  store.dispatch(splitEntered({ on: false }))
  expect(heard).toBe(0)
  store.dispatch(dialogOpened({ kind: 'switcher' }))
  expect(heard).toBe(1)
  stop()
  store.dispatch(dialogOpened({ kind: 'new-channel' }))
  expect(heard).toBe(1)
})

test('a message that is sent is heard of once, with the field that it leaves', () => {
  const store = createStore(createEngineClient(createFakeBridge()))
  const own = aMessage({ id: 'own', text: 'Here' })
  const states: unknown[] = []
  const stop = store.subscribe(() => states.push(store.getState().entities.messages))
  store.dispatch(messageForeseen({ message: own, windows: [] }))
  store.dispatch(submitted({ key: own.cid, id: own.id }))
  expect(states).toEqual([{ own }])
  stop()
})

test('another account begins with its own rows, and with those of them that have a live location', () => {
  const store = createStore(createEngineClient(createFakeBridge()))
  const shows = (userId: string): readonly string[] => {
    const live = aMessage({ id: `of-${userId}`, location: { latitude: 1, longitude: 2, updatedAt: 1, endAt: 9 } })
    store.dispatch(replicaAttached(changes(1, { session: { self: aSession({ userId }) }, messages: byId([live]) })))
    const { entities, liveLocations } = store.getState()
    return [...Object.keys(entities.messages), ...Object.keys(liveLocations)]
  }
  expect(shows('ana')).toEqual(['of-ana', 'of-ana'])
  expect(shows('bo')).toEqual(['of-bo', 'of-bo'])
})
