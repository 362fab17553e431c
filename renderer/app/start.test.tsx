import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { addLittleEngine, cairnMaps, createFakeBridge } from '#kit/fake-bridge/index.ts'
import type { Effect } from '#shared/domain/changes.ts'
import { startApp } from './start.tsx'

beforeEach(() => {
  vi.stubGlobal('innerWidth', 1_280)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** A window whose main sends an effect right after the response to its first call, as for a link that started Parlor. */
async function startWith(effect: Effect): Promise<void> {
  const { rows, windows } = cairnMaps()
  const bridge = addLittleEngine(createFakeBridge({ rows, windows }))
  const call = bridge.call.bind(bridge)
  const root = document.createElement('div')
  document.body.append(root)
  let stop = (): void => undefined
  onTestFinished(() => {
    stop()
    root.remove()
  })
  const behindAttach: typeof bridge.call = async (name, input) => {
    const reply = await call(name, input)
    if (name === 'app.attach') void Promise.resolve().then(() => bridge.effect(effect))
    return reply
  }
  await act(async () => {
    stop = await startApp({ bridge: { ...bridge, call: behindAttach } }, root)
  })
}

test('a window that a link or a notification opened shows its target, not its first channel', async () => {
  await startWith({ type: 'focus', cid: 'messaging:map-data' })
  expect(await screen.findByRole('main', { name: 'map-data' })).toBeTruthy()
})

test('a window that a command of the tray opened follows it', async () => {
  await startWith({ type: 'command', action: 'settings' })
  expect(await screen.findByRole('heading', { name: 'Settings' })).toBeTruthy()
})
