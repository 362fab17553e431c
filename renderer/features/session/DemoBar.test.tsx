import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import type { Session } from '#shared/domain/session.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { DemoBar } from './DemoBar.tsx'

afterEach(cleanup)

const session = (demo: boolean): Session => ({
  state: 'signed-in',
  workspace: { kind: 'local', name: 'Cairn Maps', demo, url: '' },
  userId: asUserId('ola'),
})
const show = (demo: boolean) =>
  renderInApp(<DemoBar />, createFakeBridge({ rows: { session: { self: session(demo) } } }))

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
