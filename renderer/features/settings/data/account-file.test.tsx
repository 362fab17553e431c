import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { AccountFileLook, PartCounts } from '#shared/domain/account-file.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid } from '#shared/lib/brand.ts'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { useAppSelector } from '../../../store/hooks.ts'
import { OpenAccountFile } from './OpenAccountFile.tsx'
import { SaveAccountFile } from './SaveAccountFile.tsx'
import { LocalData } from '../pages/AppAndSystem.tsx'

afterEach(cleanup)

function Page() {
  const dialog = useAppSelector((state) => state.ui.dialog)
  const leaving = useAppSelector((state) => state.ui.leaving)
  return (
    <>
      <LocalData />
      {dialog?.kind === 'saveAccountFile' ? <SaveAccountFile /> : null}
      {dialog?.kind === 'openAccountFile' ? <OpenAccountFile {...dialog} /> : null}
      {leaving === undefined ? null : <output>{JSON.stringify(leaving)}</output>}
    </>
  )
}

async function show() {
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      settings: { self: someSettings() },
      connection: { self: aConnection() },
    },
    windows: [],
  })
  bridge.on('data.accountFileContents', () => ({ parts: { ...ZERO, drafts: 2, messages: 1 }, left: LEFT }))
  bridge.on('data.openAccountFile', () => ({ id: 'f1' }))
  bridge.on('data.closeAccountFile', () => undefined)
  await renderInApp(<Page />, bridge)
  const user = userEvent.setup()
  const press = (name: string): Promise<void> => user.click(screen.getByRole('button', { name }))
  const open = async (file = new File(['ParlorAF'], 'ola.parlor')): Promise<void> => {
    await press('Open…')
    await user.upload(screen.getByLabelText('Choose file…', { selector: 'input' }), file)
  }
  const unlock = async (): Promise<void> => {
    await user.type(await screen.findByLabelText('Passphrase'), 'open it please{Enter}')
  }
  return { bridge, user, press, open, unlock }
}

const ZERO = { drafts: 0, messages: 0, reminders: 0, searches: 0, snippets: 0, sidebar: 0, settings: 0, marks: 0 }
const LEFT = { messages: 1, changes: 3, files: 0 }
const counts = (total: number, added = 0, replaced = 0): PartCounts => ({
  total,
  added,
  replaced,
  kept: total - added - replaced,
  full: 0,
})
const NONE = counts(0)
const aLook = (over: Partial<AccountFileLook> = {}): AccountFileLook => ({
  id: 'f1',
  owner: { userName: 'Ola', workspaceName: 'Acme', isShown: true, key: 'k1', shownName: 'Ola' },
  savedAt: Date.UTC(2026, 10, 27, 9),
  parts: {
    drafts: counts(4, 2, 1),
    messages: counts(1, 1),
    reminders: NONE,
    searches: NONE,
    snippets: NONE,
    sidebar: NONE,
    settings: NONE,
    marks: NONE,
  },
  newerHere: 0,
  sends: [{ cid: asCid('team:plans'), text: 'Written on the train' }],
  invalid: 0,
  ...over,
})

test('a file is saved under a passphrase typed twice, after what is in it and what stays was shown', async () => {
  const { bridge, user, press } = await show()
  bridge.on('data.saveAccountFile', () => ({
    saved: { fileName: 'ola.parlor', folderName: 'Downloads', messages: 1 },
  }))
  await press('Save…')
  expect((await screen.findByRole('list', { name: 'In this file' })).textContent).toBe('Drafts2Unsent messages1')
  expect(screen.getByText('3 unsent edits, reactions, or votes stay on this device.')).toBeTruthy()
  await user.type(screen.getByLabelText('Passphrase'), 'correct horse battery staple')
  expect(screen.getByText(/^Fair/)).toBeTruthy()
  await user.type(screen.getByLabelText('Repeat passphrase'), 'correct horse battery stable{Enter}')
  expect(screen.getByRole('alert').textContent).toBe('The passphrases don’t match.')
  expect(bridge.inputsOf('data.saveAccountFile')).toEqual([])
  await user.clear(screen.getByLabelText('Repeat passphrase'))
  await user.type(screen.getByLabelText('Repeat passphrase'), 'correct horse battery staple{Enter}')
  expect(await screen.findByText('Saved as “ola.parlor” in “Downloads”.')).toBeTruthy()
  expect(bridge.inputsOf('data.saveAccountFile')).toEqual([{ passphrase: 'correct horse battery staple' }])
})

test('a passphrase that is too short is refused at its field, and a full disk is reported', async () => {
  const { bridge, user, press } = await show()
  bridge.on('data.saveAccountFile', () => {
    throw new AppError('data/not-written')
  })
  await press('Save…')
  await user.type(screen.getByLabelText('Passphrase'), 'short{Enter}')
  expect(screen.getByRole('alert').textContent).toBe('Use at least 8 characters.')
  await user.type(screen.getByLabelText('Passphrase'), ' but longer now')
  await user.type(screen.getByLabelText('Repeat passphrase'), 'short but longer now{Enter}')
  expect((await screen.findByRole('alert')).textContent).toContain('Check that the disk has space')
})

test('a file is looked into before it is taken: what is new, updated and unchanged, and what will be sent', async () => {
  const { bridge, open, unlock, press } = await show()
  bridge.on('data.lookIntoAccountFile', () => aLook())
  bridge.on('data.takeAccountFile', () => aLook())
  await open()
  await unlock()
  expect((await screen.findByRole('list', { name: 'In this file' })).textContent).toBe(
    'Drafts2 new, 1 updated, and 1 unchangedUnsent messages1 new',
  )
  expect(screen.getByRole('list', { name: 'Unsent messages' }).textContent).toContain('Written on the train')
  expect(bridge.inputsOf('data.takeAccountFile')).toEqual([])
  await press('Add to this account')
  expect(await screen.findByText('The file was added to this account.')).toBeTruthy()
  expect(bridge.inputsOf('data.takeAccountFile')).toEqual([{ id: 'f1', prefersFile: false }])
})

test('settings that are newer here are taken from the file only where the user wants it', async () => {
  const { bridge, user, open, unlock, press } = await show()
  bridge.on('data.lookIntoAccountFile', () => aLook({ newerHere: 2 }))
  bridge.on('data.takeAccountFile', () => aLook())
  await open()
  await unlock()
  await user.click(await screen.findByRole('switch', { name: 'Use the settings from the file' }))
  await press('Add to this account')
  await waitFor(() => expect(bridge.inputsOf('data.takeAccountFile')).toEqual([{ id: 'f1', prefersFile: true }]))
})

test('a file that is not open anymore can be chosen again, and nothing of its passphrase is left', async () => {
  const { bridge, user, open, unlock, press } = await show()
  bridge.on('data.lookIntoAccountFile', () => aLook())
  bridge.on('data.takeAccountFile', () => {
    throw new AppError('account-file/closed')
  })
  await open()
  await unlock()
  await press('Add to this account')
  expect((await screen.findByRole('alert')).textContent).toContain('Choose it again')
  bridge.on('data.lookIntoAccountFile', () => {
    throw new AppError('account-file/closed')
  })
  const file = new File(['ParlorAF'], 'ola.parlor')
  await user.upload(screen.getByLabelText('Choose file…', { selector: 'input' }), file)
  await unlock()
  await user.upload(await screen.findByLabelText('Choose file…', { selector: 'input' }), file)
  expect((await screen.findByLabelText<HTMLInputElement>('Passphrase')).value).toBe('')
})

test('a wrong passphrase can be typed again, and cancel forgets the file', async () => {
  const { bridge, open, unlock, press } = await show()
  bridge.on('data.lookIntoAccountFile', () => {
    throw new AppError('account-file/passphrase')
  })
  await open()
  await unlock()
  expect((await screen.findByRole('alert')).textContent).toBe('Wrong passphrase. Try again.')
  await press('Cancel')
  expect(bridge.inputsOf('data.closeAccountFile')).toEqual([{ id: 'f1' }])
  expect(screen.queryByRole('dialog')).toBeNull()
})

test.each([
  ['account-file/not-one', 'This isn’t a Parlor account file.'],
  ['account-file/newer', 'from a newer version of Parlor'],
  ['account-file/damaged', 'damaged or incomplete'],
  ['account-file/too-large', '16 MB'],
])('a file refused with %s is explained, and another can be chosen', async (code, text) => {
  const { bridge, open } = await show()
  bridge.on('data.openAccountFile', () => {
    throw new AppError(code)
  })
  await open()
  expect((await screen.findByRole('alert')).textContent).toContain(text)
  expect(screen.getByRole('button', { name: 'Choose file…' })).toBeTruthy()
})

test('a file of another account of this profile switches to it, with the file still open', async () => {
  const { bridge, open, unlock, press } = await show()
  const owner = { userName: 'Ola', workspaceName: 'Acme', isShown: false, key: 'k2', shownName: 'Jonas' }
  bridge.on('data.lookIntoAccountFile', () => aLook({ owner, parts: undefined, sends: [] }))
  await open()
  await unlock()
  expect(await screen.findByText('This file is from Ola in Acme. You’re signed in as Jonas.')).toBeTruthy()
  await press('Switch to Ola')
  expect(JSON.parse(screen.getByRole('status', { name: '' }).textContent)).toEqual({
    key: 'k2',
    place: { type: 'account-file', id: 'f1' },
  })
  expect(bridge.inputsOf('data.closeAccountFile')).toEqual([])
})

test('a file of an account that is not on this device offers to add it', async () => {
  const { bridge, open, unlock } = await show()
  const owner = { userName: 'Ola', workspaceName: 'Acme', isShown: false, shownName: 'Jonas' }
  bridge.on('data.lookIntoAccountFile', () => aLook({ owner, parts: undefined, sends: [] }))
  await open()
  await unlock()
  expect(await screen.findByRole('button', { name: 'Add account…' })).toBeTruthy()
  expect(screen.getByText(/Add that account to this device/)).toBeTruthy()
})

test('a settings file of an older version is imported at once, and its invalid settings are listed', async () => {
  const { bridge, open } = await show()
  bridge.on('settings.takeFile', () => ({ refused: ['theme', 'fromTheFuture'] }))
  const text = '{"kind":"parlor-settings","version":1,"settings":{}}'
  await open(new File([text], 'parlor-settings.json'))
  expect(await screen.findByText(/except 2 that aren’t valid here: theme and fromTheFuture/)).toBeTruthy()
  expect(bridge.inputsOf('settings.takeFile')).toEqual([{ text }])
  expect(bridge.inputsOf('data.openAccountFile')).toEqual([])
})
