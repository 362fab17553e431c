import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import type { Session } from '#shared/domain/session.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { DemoBar } from './DemoBar.tsx'

afterEach(cleanup)

const session = (demo: boolean): Session => ({
  state: 'signed-in',
  workspace: { kind: 'local', name: 'Cairn Maps', demo, url: '' },
  userId: asUserId('ola'),
})
const createBridge = (demo: boolean) => createFakeBridge({ rows: { session: { self: session(demo) } } })
const show = (demo: boolean, bridge = createBridge(demo)) => renderInApp(<DemoBar />, bridge)

test('the demo says that it is one; an own workspace says nothing', async () => {
  await show(true)
  const bar = await screen.findByRole('region', { name: 'Demo' })
  expect(bar.textContent).toContain('This is a demo. Everyone here is invented.')
  cleanup()
  await show(false)
  expect(screen.queryByRole('region', { name: 'Demo' })).toBeNull()
})

test.each([
  ['Create my workspace', 'create-workspace'],
  ['Start the demo over…', 'restart-demo'],
  ['Delete the demo…', 'delete-demo'],
])('“%s” under “About this demo” asks first', async (label, kind) => {
  const { store } = await show(true)
  await userEvent.click(await screen.findByRole('button', { name: 'About this demo' }))
  const about = screen.getByRole('dialog', { name: 'About this demo' })
  expect(about.contains(document.activeElement)).toBe(true)
  await userEvent.click(within(about).getByRole('button', { name: label }))
  expect(screen.queryByRole('dialog', { name: 'About this demo' })).toBeNull()
  expect(store.getState().ui.dialog).toEqual({ kind })
})

test('the people are switched off in the bar, and on under “About this demo”', async () => {
  const bridge = createBridge(true)
  await show(true, bridge)
  await userEvent.click(await screen.findByRole('switch', { name: 'Active people' }))
  expect(bridge.inputsOf('settings.update')).toEqual([{ activePeople: false }])
  cleanup()
  const still = createFakeBridge({
    rows: { session: { self: session(true) }, settings: { self: { ...DEFAULT_SETTINGS, activePeople: false } } },
  })
  await show(true, still)
  await userEvent.click(await screen.findByRole('button', { name: 'About this demo' }))
  const about = screen.getByRole('dialog', { name: 'About this demo' })
  await userEvent.click(within(about).getByRole('switch', { name: 'Active people', checked: false }))
  expect(still.inputsOf('settings.update')).toEqual([{ activePeople: true }])
})
