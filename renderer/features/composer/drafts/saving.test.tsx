import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import {
  aChannel,
  aConnection,
  aSession,
  aUser,
  aWindow,
  byCid,
  byId,
  createFakeBridge,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { Composer } from '../index.ts'

const cid = asCid('messaging:release')
const KEY_MS = 100
const MAX_LOSS_MS = 500

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: false })
  localStorage.clear()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

async function open() {
  const bridge = createFakeBridge({
    rows: {
      users: byId([aUser({ id: 'ola', name: 'Ola' })]),
      channels: byCid([aChannel({ cid, name: 'release' })]),
      session: { self: aSession({ userId: asUserId('ola') }) },
      connection: { self: aConnection() },
    },
    windows: [aWindow(`timeline:${cid}`, [])],
  })
  await renderInApp(<Composer cid={cid} />, bridge)
  await pass(0)
  const field: HTMLTextAreaElement = screen.getByRole('textbox', { name: 'Message #release' })
  field.focus()
  return { bridge, field }
}

test('a crash while typing without a pause loses at most half a second of text', async () => {
  const { bridge, field } = await open()
  const behind: number[] = []
  for (let keys = 1; keys <= 30; keys += 1) {
    fireEvent.change(field, { target: { value: 'x'.repeat(keys) } })
    await pass(KEY_MS)
    const saved = (bridge.inputsOf('drafts.save') as { text: string }[]).at(-1)?.text ?? ''
    behind.push((keys - saved.length) * KEY_MS)
  }
  expect(Math.max(...behind)).toBeLessThanOrEqual(MAX_LOSS_MS)
  await pass(300)
  expect(bridge.inputsOf('drafts.save').at(-1)).toMatchObject({ text: 'x'.repeat(30) })
})

test('a caret that moves after the text was saved is saved as well', async () => {
  const { bridge, field } = await open()
  fireEvent.change(field, { target: { value: 'half a thought' } })
  await pass(1_000)
  field.setSelectionRange(7, 7)
  fireEvent.select(field)
  await pass(1_000)
  expect(bridge.inputsOf('drafts.save').at(-1)).toMatchObject({ text: 'half a thought', caret: 7 })
  const saves = bridge.inputsOf('drafts.save').length
  await pass(5_000)
  expect(bridge.inputsOf('drafts.save')).toHaveLength(saves)
})
