import { act, render } from '@testing-library/react'
import { useEffect } from 'react'
import { Provider } from 'react-redux'
import { expect, test, vi } from 'vitest'
import type { Settings } from '#shared/domain/settings.ts'
import { changes, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { createEngineClient } from '../bridge/client.ts'
import { changesApplied } from './entities.ts'
import { createSeldom } from './seldom.ts'
import { selectSettings } from './selectors.ts'
import { createStore } from './store.ts'

type Name = 'theme' | 'density' | 'keys'

const useSettingsPart = createSeldom(selectSettings)

/** Components that read a setting each, their store, and how often each was rendered. */
function readers() {
  const store = createStore(createEngineClient(createFakeBridge()))
  const renders: Record<Name, number> = { theme: 0, density: 0, keys: 0 }
  const count = (name: Name): void => void (renders[name] += 1)
  function Reader({ name }: { readonly name: Name }) {
    const value = useSettingsPart((settings) => settings[name])
    useEffect(() => count(name))
    return <p>{`${name} ${JSON.stringify(value)}`}</p>
  }
  const page = (...names: readonly Name[]) => (
    <Provider store={store}>
      {names.map((name) => (
        <Reader key={name} name={name} />
      ))}
    </Provider>
  )
  const change = (over: Partial<Settings>): void =>
    act(() => void store.dispatch(changesApplied(changes(1, { settings: { self: someSettings(over) } }))))
  return { store, renders, page, change }
}

test('a part that changes is rendered by those who read it, and by no others', () => {
  const { renders, page, change } = readers()
  change({})
  render(page('theme', 'density', 'keys'))
  const before = { ...renders }
  change({ theme: 'dark' })
  expect(document.body.textContent).toContain('theme "dark"')
  expect(renders.theme).toBeGreaterThan(before.theme)
  expect({ ...renders, theme: before.theme }).toEqual(before)
})

test('a reader that comes later reads what is true then, and hears of what follows', () => {
  const { page, change } = readers()
  const { rerender } = render(page('density'))
  change({ theme: 'dark' })
  rerender(page('density', 'theme'))
  expect(document.body.textContent).toContain('theme "dark"')
  change({ theme: 'light' })
  expect(document.body.textContent).toContain('theme "light"')
})

test('all readers together listen to the store once, and the last one that leaves ends it', () => {
  const { store, page } = readers()
  const subscribe = store.subscribe.bind(store)
  let listening = 0
  vi.spyOn(store, 'subscribe').mockImplementation((listener) => {
    listening += 1
    const stop = subscribe(listener)
    return () => {
      listening -= 1
      stop()
    }
  })
  const { rerender, unmount } = render(page())
  const ofProvider = listening
  rerender(page('theme', 'density', 'keys'))
  expect(listening).toBe(ofProvider + 1)
  rerender(page('density'))
  expect(listening).toBe(ofProvider + 1)
  rerender(page())
  expect(listening).toBe(ofProvider)
  unmount()
})
