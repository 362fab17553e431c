import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { addLittleEngine, cairnMaps, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { DEFAULT_NOTIFICATIONS, DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { MeBar } from './MeBar.tsx'

afterEach(cleanup)

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

test('notifications are paused in two presses', async () => {
  const { bridge, button } = await show()
  await userEvent.click(button)
  const before = Date.now()
  await userEvent.click(screen.getByRole('menuitem', { name: /^1 hour/ }))
  const [sent] = bridge.inputsOf('settings.update') as { notifications: { pausedUntil: number } }[]
  expect(sent?.notifications.pausedUntil).toBeGreaterThanOrEqual(before + 3_600_000)
})

test('while they are paused the bar says so, and one press resumes them', async () => {
  const { bridge, button } = await show(Date.now() + 3_600_000)
  expect(button.textContent).toMatch(/Paused until /)
  await userEvent.click(button)
  expect(screen.queryByRole('menuitem', { name: /^1 hour/ })).toBeNull()
  await userEvent.click(screen.getByRole('menuitem', { name: /^Resume notifications/ }))
  expect(bridge.inputsOf('settings.update')).toMatchObject([{ notifications: { pausedUntil: 0 } }])
})

test.each([
  [/^Reviewing RC2/, 'workspace'],
  [/^Profile/, 'workspace'],
  [/^Settings/, 'appearance'],
])('%s opens its page', async (name, section) => {
  const { store, button } = await show()
  await userEvent.click(button)
  await userEvent.click(screen.getByRole('menuitem', { name }))
  await waitFor(() => expect(store.getState().ui.route).toMatchObject({ view: 'settings', section }))
})
