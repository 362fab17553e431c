import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Settings } from '#shared/domain/settings.ts'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { asCid } from '#shared/lib/brand.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { useKeyboard } from './keyboard.ts'

afterEach(cleanup)

/** A row and a field that hear presses, as the list and the composer do. */
async function show(keys: Settings['keys']) {
  const heard: string[] = []
  const hear = (event: React.KeyboardEvent): void => {
    const { ctrlKey, shiftKey, key } = event
    heard.push([ctrlKey && 'Ctrl', shiftKey && 'Shift', key].filter((part) => part !== false).join('+'))
  }
  function Page() {
    useKeyboard()
    return (
      <>
        <div role="article" data-message-id="m1" tabIndex={0} onKeyDown={hear}>
          <input aria-label="in the message" onKeyDown={hear} />
        </div>
        <textarea aria-label="field" data-composer="team:a" onKeyDown={hear} />
      </>
    )
  }
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      settings: { self: someSettings({ keys }) },
      connection: { self: aConnection() },
    },
    windows: [],
  })
  const { store } = await renderInApp(<Page />, bridge)
  const press = (element: HTMLElement, key: string, more: KeyboardEventInit = {}): void =>
    act(() => void fireEvent.keyDown(element, { key, code: `Key${key.toUpperCase()}`, ...more }))
  return { heard, press, store, row: screen.getByRole('article'), field: screen.getByLabelText('field') }
}

test('a key of one’s own is heard by the list as the key it knows, and the old one does nothing', async () => {
  const { heard, press, row } = await show({ pin: ['Z'] })
  press(row, 'z')
  press(row, 'p')
  press(row, 't')
  expect(heard).toEqual(['p', 't'])
})

test('on another layout the place of the key counts', async () => {
  const { heard, press, row } = await show({ pin: ['Z'] })
  press(row, 'я', { code: 'KeyZ' })
  expect(heard).toEqual(['p'])
})

test('two actions may change places', async () => {
  const { heard, press, row } = await show({ pin: ['Q'], quote: ['P'] })
  press(row, 'q')
  press(row, 'p')
  expect(heard).toEqual(['p', 'q'])
})

test('in the field other keys format, and letters alone stay words', async () => {
  const { heard, press, field } = await show({ bold: ['Mod+G'], pin: ['Z'] })
  press(field, 'g', { ctrlKey: true })
  press(field, 'b', { ctrlKey: true })
  press(field, 'z')
  expect(heard).toEqual(['Ctrl+b', 'z'])
})

test('a field inside a message is no message', async () => {
  const { heard, press } = await show({ pin: ['Z'] })
  press(screen.getByLabelText('in the message'), 'z')
  expect(heard).toEqual(['z', 'z'])
})

test('G and then T goes to the threads from a row, and neither is heard by the row', async () => {
  const { heard, press, row, store } = await show({})
  press(row, 'g')
  press(row, 't')
  expect([heard, store.getState().ui.route]).toEqual([[], { view: 'threads' }])
})

test('a G that nothing follows is typed, and so is what follows it', async () => {
  const { heard, press, row, field, store } = await show({})
  act(() => void store.dispatch(routeOpened({ view: 'channel', cid: asCid('team:a') })))
  press(row, 'g')
  press(row, 'o')
  expect([heard, (field as HTMLTextAreaElement).value, document.activeElement === field]).toEqual([[], 'g', true])
  press(field, 'g')
  press(field, 't')
  expect(heard).toEqual(['g', 't'])
  expect(store.getState().ui.route).toEqual({ view: 'channel', cid: 'team:a' })
})

test('a question mark on a row shows the keys, in a field it is a word', async () => {
  const { press, row, field, store } = await show({})
  press(field, '?', { code: 'Slash', shiftKey: true })
  expect(store.getState().ui.dialog).toBeUndefined()
  press(row, '?', { code: 'Slash', shiftKey: true })
  expect(store.getState().ui.dialog).toEqual({ kind: 'shortcuts' })
})
