import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { aConnection, addLittleEngine, cairnMaps, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { DEFAULT_NOTIFICATIONS, DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { MeBar, openPauseMenu } from './MeBar.tsx'

afterEach(cleanup)

const item = (name: string | RegExp) => screen.getByRole('menuitem', { name })

/** The bar of a viewer whose notifications are paused until then; 0 for not. */
async function show(pausedUntil = 0) {
  const bridge = addLittleEngine(createFakeBridge(cairnMaps()))
  const notifications = { ...DEFAULT_NOTIFICATIONS, pausedUntil }
  bridge.change({ settings: { self: { ...DEFAULT_SETTINGS, notifications } } })
  const { store } = await renderInApp(<MeBar />, bridge)
  const button = await screen.findByRole('button', { name: /Status, profile and settings$/ })
  return { bridge, store, button }
}

test('one’s own portrait opens a menu from the keyboard, and Escape returns to it', async () => {
  const { button } = await show()
  expect(button.getAttribute('aria-haspopup')).toBe('menu')
  button.focus()
  await userEvent.keyboard('{Enter}')
  expect(screen.getByRole('menu', { name: 'Status, profile and settings' })).toBeDefined()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('menu')).toBeNull()
  expect(document.activeElement).toBe(button)
})

test('a pause is two presses away from the portrait', async () => {
  const { bridge, button } = await show()
  await userEvent.click(button)
  await userEvent.click(item(/^Pause notifications/))
  const before = Date.now()
  await userEvent.click(item(/^1 hour/))
  const [sent] = bridge.inputsOf('settings.update') as { notifications: { pausedUntil: number } }[]
  expect(sent?.notifications.pausedUntil).toBeGreaterThanOrEqual(before + 3_600_000)
})

test('while they are paused the bar says so, and one press resumes them', async () => {
  const { bridge, button } = await show(Date.now() + 3_600_000)
  expect(button.textContent).toMatch(/Paused until /)
  await userEvent.click(button)
  expect(item(/^Do Not Disturb/)).toBeDefined()
  await userEvent.click(item(/^Resume/))
  expect(bridge.inputsOf('settings.update')).toMatchObject([{ notifications: { pausedUntil: 0 } }])
})

test('a pause can end at a time of one’s own', async () => {
  const { bridge, button } = await show()
  await userEvent.click(button)
  await userEvent.click(item(/^Pause notifications/))
  await userEvent.click(item('Custom…'))
  const dialog = await screen.findByRole('dialog', { name: 'Pause notifications' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Pause' }))
  const [sent] = bridge.inputsOf('settings.update') as { notifications: { pausedUntil: number } }[]
  expect(sent?.notifications.pausedUntil).toBeGreaterThan(Date.now())
})

test('the arrow keys open a submenu and leave it, Escape returns to the portrait', async () => {
  const { button } = await show()
  button.focus()
  await userEvent.keyboard('{Enter}')
  item(/^Pause notifications/).focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(screen.getByRole('menu', { name: 'Pause notifications' })).toBeDefined()
  await userEvent.keyboard('{ArrowLeft}')
  expect(screen.getByRole('menu', { name: 'Status, profile and settings' })).toBeDefined()
  await userEvent.keyboard('{Escape}')
  expect(document.activeElement).toBe(button)
})

test('the shortcut opens the choice of a pause at once; while paused, the menu with Resume', async () => {
  const { store } = await show()
  act(() => void store.dispatch(openPauseMenu()))
  expect(screen.getByRole('menu', { name: 'Pause notifications' })).toBeDefined()
  cleanup()
  const paused = await show(Date.now() + 3_600_000)
  act(() => void paused.store.dispatch(openPauseMenu()))
  expect(item(/^Resume/)).toBeDefined()
})

test('presence is one of four, and being invisible is said in the bar', async () => {
  const { bridge, button } = await show()
  await userEvent.click(button)
  await userEvent.click(item(/^Online/))
  expect(screen.getAllByRole('menuitemradio').map((each) => each.getAttribute('aria-checked'))).toEqual([
    'true',
    'false',
    'false',
    'false',
  ])
  await userEvent.click(screen.getByRole('menuitemradio', { name: /^Invisible/ }))
  expect(bridge.inputsOf('settings.update')).toMatchObject([{ publishPresence: false }])
  act(() => bridge.change({ settings: { self: { ...DEFAULT_SETTINGS, publishPresence: false } } }))
  await waitFor(() => expect(button.textContent).toContain('Invisible'))
})

test('away is chosen by hand, said in the bar, and ends when Online is chosen', async () => {
  const { bridge, button } = await show()
  await userEvent.click(button)
  await userEvent.click(item(/^Online/))
  await userEvent.click(screen.getByRole('menuitemradio', { name: /^Away/ }))
  expect(bridge.inputsOf('settings.update')).toMatchObject([{ publishPresence: true, awayByHand: true }])
  act(() => bridge.change({ settings: { self: { ...DEFAULT_SETTINGS, awayByHand: true } } }))
  await waitFor(() => expect(button.textContent).toContain('Away'))
  await userEvent.click(button)
  await userEvent.click(item(/^Away/))
  await userEvent.click(screen.getByRole('menuitemradio', { name: /^Online/ }))
  expect(bridge.inputsOf('settings.update').at(-1)).toMatchObject({ awayByHand: false })
})

test('away or invisible that was set on another device is shown as others see it, and Online ends it', async () => {
  const { bridge, store, button } = await show()
  const me = store.getState().entities.users['ola']
  if (me === undefined) throw new Error('There is no viewer')
  for (const [seen, name] of [
    [{ away: true as const }, 'Away'],
    [{ invisible: true as const }, 'Invisible'],
  ] as const) {
    act(() => bridge.change({ users: { ola: { ...me, online: true, ...seen } } }))
    await waitFor(() => expect(button.textContent).toContain(name))
    await userEvent.click(button)
    await userEvent.click(item(new RegExp(`^${name}`)))
    expect(screen.getByRole('menuitemradio', { name: new RegExp(`^${name}`) }).getAttribute('aria-checked')).toBe(
      'true',
    )
    await userEvent.click(screen.getByRole('menuitemradio', { name: /^Online/ }))
    expect(bridge.inputsOf('settings.update').at(-1)).toMatchObject({ publishPresence: true, awayByHand: false })
  }
})

test('a status is cleared in one press', async () => {
  const { bridge, button } = await show()
  await userEvent.click(button)
  await userEvent.click(item('Clear status'))
  expect(bridge.inputsOf('people.changeProfile')).toMatchObject([{ statusText: '' }])
})

test('without a connection the menu says that the status cannot be changed, and a pause still can', async () => {
  const { bridge, button } = await show()
  act(() => bridge.change({ connection: { self: aConnection({ state: 'unhealthy', offline: true }) } }))
  await userEvent.click(button)
  expect(screen.getByText(/^You’re offline\. You can change your status/)).toBeDefined()
  expect(screen.queryByRole('menuitem', { name: 'Clear status' })).toBeNull()
  // Others see the viewer as offline, whatever was chosen for when the connection is back.
  expect(screen.queryByRole('menuitem', { name: /^Online/ })).toBeNull()
  expect(item(/^Offline/)).toBeDefined()
  await userEvent.click(item(/^Pause notifications/))
  await userEvent.click(item(/^2 hours/))
  expect(bridge.inputsOf('settings.update')).toHaveLength(1)
})

test('another account is two presses away, and so is a new one', async () => {
  const { store, button } = await show()
  await userEvent.click(button)
  await userEvent.click(item(/^Switch account/))
  await userEvent.click(item('Add a workspace'))
  expect(store.getState().ui.adding).toBeDefined()
})

test.each([
  [/^Profile/, 'account'],
  [/^Settings/, 'appearance'],
])('%s opens its page', async (name, section) => {
  const { store, button } = await show()
  await userEvent.click(button)
  await userEvent.click(item(name))
  await waitFor(() => expect(store.getState().ui.route).toMatchObject({ view: 'settings', section }))
})

test('the status opens its dialog', async () => {
  const { store, button } = await show()
  await userEvent.click(button)
  await userEvent.click(item(/^Reviewing RC2/))
  expect(store.getState().ui.dialog).toMatchObject({ kind: 'status' })
})
