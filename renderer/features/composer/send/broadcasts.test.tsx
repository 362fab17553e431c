import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import {
  aChannel,
  aConfig,
  aConnection,
  aMessage,
  aSession,
  aUser,
  aWindow,
  byCid,
  byId,
  createFakeBridge,
  MEMBER_CAPABILITIES,
  someSettings,
  type FakeBridge,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { Composer } from '../index.ts'

const cid = asCid('messaging:release')
/** Tuesday, 1 a.m. in Warsaw. */
const NOW = Date.UTC(2026, 10, 24, 0, 0)

type Scene = { readonly memberCount?: number; readonly rights?: readonly string[] }

async function show({ memberCount = 24, rights = ['notify-channel', 'notify-here'] }: Scene = {}): Promise<FakeBridge> {
  const config = { ...aConfig(), commands: [{ name: 'mute', args: '[@username]', description: 'Mute' }] }
  const capabilities = [...MEMBER_CAPABILITIES, ...rights]
  const bridge = createFakeBridge({
    rows: {
      users: byId([
        aUser({ id: 'ola', name: 'Ola' }),
        aUser({ id: 'hena', name: 'Hena', timeZone: 'Europe/Warsaw' }),
        aUser({ id: 'max', name: 'Max', timeZone: 'America/New_York' }),
        aUser({ id: 'eve', name: 'Eve', timeZone: 'Nowhere/At_All' }),
      ]),
      channels: byCid([aChannel({ cid, name: 'release', memberCount, capabilities, config })]),
      session: { self: aSession({ userId: 'ola' }) },
      connection: { self: aConnection() },
      settings: { self: someSettings() },
      messages: byId([aMessage({ id: 'm1', cid, userId: 'ola', text: '@here now', reach: ['here'] })]),
    },
    windows: [aWindow(`timeline:${cid}`, ['m1'])],
  })
  bridge.on('messages.send', () => asMessageId('new'))
  bridge.on('channels.members', () => ['ola', 'hena', 'max', 'eve'].map(asUserId))
  await renderInApp(<Composer cid={cid} />, bridge)
  bridge.change({}, Object.values(bridge.world.windows))
  await pass(0)
  return bridge
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const field = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Message #release' })
const offered = () => screen.queryAllByRole('option').map((option) => option.textContent)
const sent = (bridge: FakeBridge) => bridge.inputsOf('messages.send')
const press = async (name: string) => {
  fireEvent.click(screen.getByRole('button', { name }))
  await pass(0)
}
async function write(text: string): Promise<void> {
  field().focus()
  fireEvent.change(field(), { target: { value: text } })
  await pass(400)
}
async function enter(): Promise<void> {
  fireEvent.keyDown(field(), { key: 'Enter', code: 'Enter' })
  await pass(0)
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: false, now: NOW })
  localStorage.clear()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('@channel and @here are offered after people, to those with the right, and never in a command', async () => {
  await show()
  await write('@he')
  expect(offered()).toEqual(['HHenahena', '@hereEveryone who is online'])
  await write('@ch')
  expect(offered()).toEqual(['@channelEveryone in this channel'])
  await enter()
  expect(field().value).toBe('@channel ')
  await write('/mute @ch')
  expect(offered()).toEqual([])
})

test('without the right they are not offered, and the text notifies no one', async () => {
  const bridge = await show({ rights: [] })
  await write('@ch')
  expect(offered()).toEqual([])
  await write('@channel hello')
  await enter()
  expect(sent(bridge)).toEqual([expect.not.objectContaining({ reach: expect.anything() })])
})

test('up to twenty others are notified without a question', async () => {
  const bridge = await show({ memberCount: 21 })
  await write('@channel hello')
  await enter()
  expect(sent(bridge)).toEqual([expect.objectContaining({ text: '@channel hello', reach: ['channel'] })])
})

test('more are notified after a question that says how many they are and for how many it is night', async () => {
  const bridge = await show()
  await write('@channel hello')
  await enter()
  const dialog = screen.getByRole('alertdialog', { name: 'Notify everyone in #release?' })
  expect(dialog.textContent).toContain('23 people will be notified.')
  expect(dialog.textContent).toContain('It’s nighttime for 1 of them.')
  expect(sent(bridge)).toEqual([])
  expect(document.activeElement?.textContent).toBe('Cancel')
  await press('Cancel')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(field().value).toBe('@channel hello')
  expect(sent(bridge)).toEqual([])
  await enter()
  fireEvent.click(screen.getAllByRole('button', { name: 'Send' }).at(-1) ?? field())
  await pass(0)
  expect(sent(bridge)).toEqual([expect.objectContaining({ text: '@channel hello', reach: ['channel'] })])
  expect(field().value).toBe('')
})

test('an edit asks only about the mentions it adds', async () => {
  const bridge = await show()
  fireEvent.keyDown(field(), { key: 'ArrowUp', code: 'ArrowUp' })
  await pass(0)
  await write('@here now, please')
  await press('Save')
  expect(bridge.inputsOf('messages.edit')).toEqual([expect.objectContaining({ reach: ['here'] })])
})
