import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Attachment } from '#shared/domain/attachment.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import {
  aChannel,
  aConnection,
  aMessage,
  aSession,
  byCid,
  byId,
  createFakeBridge,
  MEMBER_CAPABILITIES,
} from '#kit/fake-bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { editBegun } from '../../../store/composers/composers.ts'
import { Composer } from '../index.ts'

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

/** A message with two files is being edited. */
async function show(text: string, author = 'ola', offline = false) {
  const attachments = [aFile(0, 'map.pdf'), aFile(2, 'list.txt')]
  const bridge = createFakeBridge({
    rows: {
      channels: byCid([aChannel({ cid, capabilities: [...MEMBER_CAPABILITIES, 'send-poll', 'share-location'] })]),
      messages: byId([aMessage({ id: 'm1', cid, userId: author, text, attachments })]),
      session: { self: aSession({ userId: 'ola' }) },
      connection: { self: aConnection({ offline }) },
    },
  })
  const { store } = await renderInApp(<Composer cid={cid} />, bridge)
  act(() => void store.dispatch(editBegun({ key: cid, messageId: asMessageId('m1'), text })))
  return bridge
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('a file can be marked for removal, and restored until the edit is saved', async () => {
  const bridge = await show('see')
  await press('Remove map.pdf from the message')
  await press('Remove list.txt from the message')
  await press('Restore list.txt')
  expect(screen.getByText('Will be removed when you save')).toBeTruthy()
  await press('Save')
  expect(bridge.inputsOf('messages.edit')).toMatchObject([{ messageId: 'm1', text: 'see', keptAttachments: [2] }])
})

test('the last file of a message without text cannot be removed', async () => {
  const bridge = await show('')
  await press('Remove map.pdf from the message')
  await press('Remove list.txt from the message')
  await press('Save')
  expect(bridge.inputsOf('messages.edit')).toEqual([])
  expect(screen.getByText('A message can’t be empty. Delete it instead?')).toBeTruthy()
})

test('a removed file can be deleted on the server too, before the edit; a restored one is not', async () => {
  const bridge = await show('see')
  expect(screen.queryByRole('button', { name: 'Also delete the file map.pdf' })).toBeNull()
  await press('Remove map.pdf from the message')
  await press('Remove list.txt from the message')
  await press('Also delete the file map.pdf')
  await press('Also delete the file list.txt')
  expect(screen.getAllByText('The file will be deleted when you save')).toHaveLength(2)
  await press('Restore list.txt')
  await press('Save')
  expect(bridge.inputsOf('messages.deleteFile')).toEqual([{ messageId: 'm1', index: 0 }])
  expect(bridge.inputsOf('messages.edit')).toMatchObject([{ keptAttachments: [2] }])
})

test('files marked for removal are saved with the edit and restored after a restart', async () => {
  const bridge = await show('see')
  await press('Remove map.pdf from the message')
  await press('Remove list.txt from the message')
  await press('Also delete the file map.pdf')
  act(() => void window.dispatchEvent(new Event('blur')))
  const edit = { messageId: asMessageId('m1'), text: 'see', original: 'see', dropped: [0, 2], erased: [0] }
  expect(bridge.inputsOf('drafts.save').at(-1)).toMatchObject({ text: '', edit })
  cleanup()
  const draft = { key: cid, cid, text: '', uploads: [], caret: 0, showInChannel: false, updatedAt: 1, edit }
  bridge.change({ drafts: { [cid]: draft } })
  await renderInApp(<Composer cid={cid} />, bridge)
  expect(screen.getByRole('button', { name: 'Restore list.txt' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Also delete the file map.pdf' }).getAttribute('aria-pressed')).toBe('true')
})

test('when deleting a file fails the edit stays open with the reason and the message is unchanged', async () => {
  const bridge = await show('see')
  bridge.on('messages.deleteFile', () => {
    throw new AppError('network/offline')
  })
  await press('Remove map.pdf from the message')
  await press('Also delete the file map.pdf')
  await press('Save')
  expect(bridge.inputsOf('messages.edit')).toEqual([])
  expect(screen.getByText(/^Not saved\. /)).toBeTruthy()
})

test('offline no file can be deleted and the button says why; files of other people never can', async () => {
  const bridge = await show('see', 'ola', true)
  await press('Remove map.pdf from the message')
  const name = 'Also delete the file map.pdf. You need a connection to delete files'
  await press(name)
  expect(screen.getByRole('button', { name }).getAttribute('aria-pressed')).toBe('false')
  await press('Save')
  expect(bridge.inputsOf('messages.deleteFile')).toEqual([])
  cleanup()
  await show('see', 'hana')
  await press('Remove map.pdf from the message')
  expect(screen.queryByRole('button', { name: /^Also delete the file/ })).toBeNull()
})

test('polls and locations cannot be started inside an edit', async () => {
  await show('see')
  const offered = async (): Promise<readonly boolean[]> => {
    await press('Add files and more')
    const names = ['Attach files', 'Create a poll', 'Share location']
    const found = names.map((name) => screen.queryByRole('menuitem', { name: new RegExp(`^${name}`) }) !== null)
    await userEvent.keyboard('{Escape}')
    return found
  }
  expect(await offered()).toEqual([false, false, false])
  await press('Cancel')
  expect(await offered()).toEqual([true, true, true])
})
