import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Attachment } from '#shared/domain/attachment.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { aChannel, aMessage, aSession, byCid, byId, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { editBegun } from '../../store/composers.ts'
import { Composer } from './index.ts'

const cid = asCid('messaging:release')
const aFile = (index: number, title: string): Attachment => ({
  kind: 'file',
  index,
  title,
  hasMedia: true,
  hasThumb: false,
})

vi.setConfig({ testTimeout: 20_000 })
beforeEach(() => localStorage.clear())
afterEach(cleanup)

async function show(text: string) {
  const attachments = [aFile(0, 'map.pdf'), aFile(2, 'list.txt')]
  const bridge = createFakeBridge({
    rows: {
      channels: byCid([aChannel({ cid })]),
      messages: byId([aMessage({ id: 'm1', cid, text, attachments })]),
      session: { self: aSession() },
    },
  })
  const { store } = await renderInApp(<Composer cid={cid} />, bridge)
  act(() => void store.dispatch(editBegun({ key: cid, messageId: asMessageId('m1'), text })))
  return bridge
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('one file of a message is taken from it, and can be kept after all until the edit is saved', async () => {
  const bridge = await show('see')
  await press('Remove map.pdf from the message')
  await press('Remove list.txt from the message')
  await press('Keep list.txt')
  expect(screen.getByText('Goes when you save')).toBeTruthy()
  await press('Save')
  expect(bridge.inputsOf('messages.edit')).toMatchObject([{ messageId: 'm1', text: 'see', keptAttachments: [2] }])
})

test('a message without words keeps at least one of its files', async () => {
  const bridge = await show('')
  await press('Remove map.pdf from the message')
  await press('Remove list.txt from the message')
  await press('Save')
  expect(bridge.inputsOf('messages.edit')).toEqual([])
  expect(screen.getByText('A message needs words. Delete it instead.')).toBeTruthy()
})
