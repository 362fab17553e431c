import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { useAppSelector } from '../../../store/hooks.ts'
import { ExportDialog } from './ExportDialog.tsx'
import { LocalData } from './Storage.tsx'
import { LogRow } from '../advanced/Advanced.tsx'

afterEach(cleanup)

function Page() {
  const dialog = useAppSelector((state) => state.ui.dialog)
  return (
    <>
      <LocalData />
      <LogRow />
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
  await renderInApp(<Page />, bridge)
  const user = userEvent.setup()
  const press = (name: string): Promise<void> => user.click(screen.getByRole('button', { name }))
  return { bridge, user, press }
}

test('messages are exported in the chosen format, and the file’s folder is named and can be opened', async () => {
  const { bridge, user, press } = await show()
  bridge.on('data.exportMessages', () => ({ saved: { fileName: 'a.txt', folderName: 'Downloads', messages: 2 } }))
  await press('Export…')
  await user.click(screen.getByRole('radio', { name: 'Text' }))
  await press('Export')
  expect(await screen.findByText('2 messages were saved as “a.txt” in “Downloads”.')).toBeTruthy()
  expect(bridge.inputsOf('data.exportMessages')).toEqual([{ format: 'text' }])
  await press('Show in folder')
  expect(bridge.inputsOf('data.showFolder')).toEqual([{ which: 'exported' }])
})

test('an export that cannot be written shows the error in the dialog and can be retried', async () => {
  const { bridge, press } = await show()
  bridge.on('data.exportMessages', () => {
    throw new AppError('data/not-written')
  })
  await press('Export…')
  await press('Export')
  expect((await screen.findByRole('alert')).textContent).toContain('Check that the disk has space')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Export' }).disabled).toBe(false)
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
