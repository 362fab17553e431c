import { expect, test } from 'vitest'
import { createFakeBridge } from '#kit/fake-bridge/index.ts'
import { createEngineClient } from '../bridge/client.ts'
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
