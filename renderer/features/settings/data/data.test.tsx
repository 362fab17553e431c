import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { sendCommand } from '../../../store/commands.ts'
import { useAppSelector } from '../../../store/hooks.ts'
import { ExportDialog } from './ExportDialog.tsx'
import { LocalData } from '../pages/AppAndSystem.tsx'
import { NoticeRegion } from '../../notices/index.ts'
import { LogRow } from '../advanced/Advanced.tsx'

afterEach(cleanup)

function Page() {
  const dialog = useAppSelector((state) => state.ui.dialog)
  return (
    <>
      <LocalData />
      <LogRow />
      <NoticeRegion />
      {dialog?.kind === 'export' ? <ExportDialog {...dialog} /> : null}
    </>
  )
}

async function show({ offline = false } = {}) {
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      settings: { self: someSettings() },
      connection: { self: aConnection({ offline }) },
    },
    windows: [],
  })
  for (const name of ['data.showFolder', 'data.clearCache'] as const) bridge.on(name, () => undefined)
  const { store } = await renderInApp(<Page />, bridge)
  const user = userEvent.setup()
  const press = (name: string): Promise<void> => user.click(screen.getByRole('button', { name }))
  return { bridge, store, user, press }
}

const SAVED = { fileName: 'a.txt', folderName: 'Downloads', messages: 2, files: 0, withoutFiles: 0 }
const PLAN = { messages: 1_200, stored: { count: 3, bytes: 4_000_000 }, missing: { count: 12, bytes: 34_000_000 } }

test('messages are exported in the chosen format, and the file’s folder is named and can be opened', async () => {
  const { bridge, user, press } = await show()
  bridge.on('data.exportMessages', () => ({ saved: SAVED }))
  await press('Export…')
  await user.selectOptions(screen.getByRole('combobox', { name: 'File type' }), 'Text')
  await press('Export')
  expect(await screen.findByText('2 messages were saved as “a.txt” in “Downloads”.')).toBeTruthy()
  expect(bridge.inputsOf('data.exportMessages')).toEqual([{ format: 'text', span: {}, files: 'none', older: false }])
  await press('Show in folder')
  expect(bridge.inputsOf('data.showFolder')).toEqual([{ which: 'exported' }])
})

test('the dialog says what is on this device, and what would be loaded', async () => {
  const { bridge, user, press } = await show()
  bridge.on('data.exportPlan', () => ({ ...PLAN, missingBefore: new Date(2026, 2, 3).getTime() }))
  bridge.on('data.exportMessages', () => ({ saved: { ...SAVED, files: 14, withoutFiles: 1 } }))
  await press('Export…')
  expect(await screen.findByText('1,200 messages on this device.')).toBeTruthy()
  expect(screen.getByText(/^Messages from before .*2026.* may be only on the server\.$/)).toBeTruthy()
  await user.click(screen.getByRole('switch', { name: 'Load older messages first' }))
  await user.click(screen.getByRole('radio', { name: /All files\s*Loads 12 files first, .*34/ }))
  await press('Export')
  expect(await screen.findByText(/14 files are included\. 1 file is only named/)).toBeTruthy()
  expect(bridge.inputsOf('data.exportMessages')).toMatchObject([{ format: 'html', files: 'all', older: true }])
})

test('without a connection nothing older is offered to be loaded, and the dialog says why', async () => {
  const { bridge, user, press } = await show({ offline: true })
  bridge.on('data.exportPlan', () => ({ ...PLAN, missingBefore: new Date(2026, 2, 3).getTime() }))
  bridge.on('data.exportMessages', () => ({ saved: SAVED }))
  await press('Export…')
  expect(await screen.findByText(/may be only on the server, and you’re offline/)).toBeTruthy()
  await user.click(screen.getByRole('switch', { name: 'Load older messages first' }))
  await press('Export')
  await waitFor(() => expect(bridge.inputsOf('data.exportMessages')).toMatchObject([{ older: false }]))
})

test('two dates are whole days of this device, and are checked in words', async () => {
  const { bridge, user, press } = await show()
  bridge.on('data.exportPlan', () => PLAN)
  bridge.on('data.exportMessages', () => ({ saved: SAVED }))
  await press('Export…')
  await user.click(screen.getByRole('radio', { name: 'Two dates' }))
  await press('Export')
  expect(screen.getByText('Enter the first day.')).toBeTruthy()
  expect(screen.queryByText(/Counting|on this device\.|0 files/)).toBeNull()
  const [first, last] = ['First day', 'Last day'].map((name) => screen.getByRole('textbox', { name }))
  if (first === undefined || last === undefined) throw new Error('there are two fields')
  await user.type(first, '2026-03-05')
  await user.clear(last)
  await user.type(last, '2026-03-04')
  expect(screen.getByText('The last day is before the first day.')).toBeTruthy()
  await user.clear(last)
  await user.type(last, '2026-03-05')
  await press('Export')
  const span = { from: new Date(2026, 2, 5).getTime(), until: new Date(2026, 2, 6).getTime() }
  await waitFor(() => expect(bridge.inputsOf('data.exportMessages')).toMatchObject([{ span }]))
})

test('an export shows how far it is, and can be stopped', async () => {
  const { bridge, store, press } = await show()
  const ended = Promise.withResolvers<object>()
  bridge.on('data.exportMessages', () => ended.promise as Promise<{ saved?: typeof SAVED }>)
  bridge.on('data.cancelExport', () => ended.resolve({}))
  await press('Export…')
  await press('Export')
  expect(await screen.findByText('Choose where to save it…')).toBeTruthy()
  await act(async () => store.dispatch(sendCommand('exportProgressed', { step: 'messages', done: 300, total: 1_200 })))
  expect(await screen.findByText('Writing messages… 300 of 1,200')).toBeTruthy()
  await press('Stop')
  expect(await screen.findByText('Stopped. Nothing was saved.')).toBeTruthy()
})

test('an export goes on without its dialog, and its end is a notice that shows the file', async () => {
  const { bridge, store, press } = await show()
  const ended = Promise.withResolvers<{ saved: typeof SAVED }>()
  bridge.on('data.exportMessages', () => ended.promise)
  await press('Export…')
  await press('Export')
  await press('Close')
  expect(screen.queryByRole('dialog')).toBeNull()
  await act(async () => ended.resolve({ saved: SAVED }))
  expect(await screen.findByText('Saved as “a.txt” in “Downloads”.')).toBeTruthy()
  expect(store.getState().notices.local).toHaveLength(1)
  await press('Show in folder')
  expect(bridge.inputsOf('data.showFolder')).toEqual([{ which: 'exported' }])
})

test.each([
  ['data/disk-full', 'The disk is full'],
  ['data/not-permitted', 'isn’t allowed to write'],
  ['data/folder-gone', 'folder is gone'],
  ['data/not-written', 'Check that the disk has space'],
])('an export that is refused as %s says so in the dialog, and can be retried', async (code, text) => {
  const { bridge, press } = await show()
  bridge.on('data.exportMessages', () => {
    throw new AppError(code)
  })
  await press('Export…')
  await press('Export')
  expect((await screen.findByRole('alert')).textContent).toContain(text)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Export' }).disabled).toBe(false)
})

test('an export that is refused because another one runs offers to stop that', async () => {
  const { bridge, press } = await show()
  bridge.on('data.exportMessages', () => {
    throw new AppError('data/exporting')
  })
  bridge.on('data.cancelExport', () => undefined)
  await press('Export…')
  await press('Export')
  await screen.findByRole('alert')
  await press('Stop the other export')
  expect(bridge.inputsOf('data.cancelExport')).toHaveLength(1)
})

test('stored data is deleted only after a confirmation whose safe button has the focus', async () => {
  const { bridge, press } = await show({ offline: true })
  await press('Clear…')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.getByText(/You’re offline/)).toBeTruthy()
  expect(bridge.inputsOf('data.clearCache')).toEqual([])
  await press('Clear')
  await waitFor(() => expect(bridge.inputsOf('data.clearCache')).toHaveLength(1))
})

test('the log is loaded on demand, and copied unchanged', async () => {
  const { bridge, press } = await show()
  bridge.on('data.log', () => ({ text: '{"event":"open"}\n' }))
  await press('Show')
  expect((await screen.findByRole('group', { name: 'Log' })).textContent).toContain('"open"')
  await press('Copy')
  await screen.findByText('Copied.')
  expect(await navigator.clipboard.readText()).toBe('{"event":"open"}\n')
})
