import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Settings } from '#shared/domain/settings.ts'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { asCid } from '#shared/lib/brand.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { registry } from '../features.ts'
import { useKeyboard } from './keyboard.ts'

afterEach(cleanup)

/** A row and a field that record key presses, in place of the list and the composer. */
async function show(keys: Settings['keys']) {
  const presses: string[] = []
  const record = (event: React.KeyboardEvent): void => {
    const { ctrlKey, shiftKey, key } = event
    presses.push([ctrlKey && 'Ctrl', shiftKey && 'Shift', key].filter((part) => part !== false).join('+'))
  }
  function Page() {
    useKeyboard()
    return (
      <>
        <div role="article" data-message-id="m1" tabIndex={0} onKeyDown={record}>
          <input aria-label="in the message" onKeyDown={record} />
        </div>
        <textarea aria-label="field" data-composer="team:a" onKeyDown={record} />
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
  const { store } = await renderInApp(<Page />, bridge, 'en', registry)
  const press = (element: HTMLElement, key: string, more: KeyboardEventInit = {}): void =>
    act(() => void fireEvent.keyDown(element, { key, code: `Key${key.toUpperCase()}`, ...more }))
  return { presses, press, store, row: screen.getByRole('article'), field: screen.getByLabelText('field') }
}

test('the list gets a custom key as its default key, and the default key itself does nothing', async () => {
  const { presses, press, row } = await show({ pin: ['Z'] })
  press(row, 'z')
  press(row, 'p')
  press(row, 't')
  expect(presses).toEqual(['p', 't'])
})

test('on another keyboard layout the physical key counts', async () => {
  const { presses, press, row } = await show({ pin: ['Z'] })
  press(row, 'я', { code: 'KeyZ' })
  expect(presses).toEqual(['p'])
})

test('two actions can swap keys', async () => {
  const { presses, press, row } = await show({ pin: ['Q'], quote: ['P'] })
  press(row, 'q')
  press(row, 'p')
  expect(presses).toEqual(['p', 'q'])
})

test('in the field custom keys format, and plain letters stay text', async () => {
  const { presses, press, field } = await show({ bold: ['Mod+G'], pin: ['Z'] })
  press(field, 'g', { ctrlKey: true })
  press(field, 'b', { ctrlKey: true })
  press(field, 'z')
  expect(presses).toEqual(['Ctrl+b', 'z'])
})

test('a field inside a message is a field', async () => {
  const { presses, press } = await show({ pin: ['Z'] })
  press(screen.getByLabelText('in the message'), 'z')
  expect(presses).toEqual(['z', 'z'])
})

test('G then T on a row opens the threads, and the row gets neither key', async () => {
  const { presses, press, row, store } = await show({})
  press(row, 'g')
  press(row, 't')
  expect(presses).toEqual([])
  expect(store.getState().ui.route).toEqual({ view: 'threads' })
})

test('a G that does not begin a sequence is typed, and so are the letters after it', async () => {
  const { presses, press, row, field, store } = await show({})
  act(() => void store.dispatch(routeOpened({ view: 'channel', cid: asCid('team:a') })))
  press(row, 'g')
  press(row, 'o')
  expect(presses).toEqual([])
  expect((field as HTMLTextAreaElement).value).toBe('g')
  expect(document.activeElement).toBe(field)
  press(field, 'g')
  press(field, 't')
  expect(presses).toEqual(['g', 't'])
  expect(store.getState().ui.route).toEqual({ view: 'channel', cid: 'team:a' })
})

test('a question mark opens the shortcuts on a row and is typed in a field', async () => {
  const { press, row, field, store } = await show({})
  press(field, '?', { code: 'Slash', shiftKey: true })
  expect(store.getState().ui.dialog).toBeUndefined()
  press(row, '?', { code: 'Slash', shiftKey: true })
  expect(store.getState().ui.dialog).toEqual({ kind: 'shortcuts' })
})

test('Ctrl+N presses the New button of the page on screen, and begins a message where there is none', async () => {
  const { press, store, row } = await show({})
  const pressed: string[] = []
  const button = document.createElement('button')
  button.dataset['new'] = ''
  button.addEventListener('click', () => pressed.push('new'))
  document.body.append(button)
  press(row, 'n', { ctrlKey: true })
  const focused = document.activeElement
  const early = store.getState().ui.dialog
  button.remove()
  press(row, 'n', { ctrlKey: true })

  expect(pressed).toEqual(['new'])
  expect(focused).toBe(button)
  expect(early).toBeUndefined()
  expect(store.getState().ui.dialog).toEqual({ kind: 'new-direct' })
})
