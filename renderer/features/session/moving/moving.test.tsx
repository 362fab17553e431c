import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { WorkspaceFileLook } from '#shared/domain/sharing.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { sendCommand } from '../../../store/commands.ts'
import { useAppSelector } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { DeleteLeftDialog, TakeBackDialog } from '../ConfirmDialogs.tsx'
import { Onboarding } from '../Onboarding.tsx'
import { MoveWorkspace } from './moving.tsx'

afterEach(cleanup)

const button = (name: string | RegExp): HTMLElement => screen.getByRole('button', { name })

function Page() {
  const dialog = useAppSelector((state) => state.ui.dialog)
  return dialog?.kind === 'move-workspace' ? <MoveWorkspace /> : <output>closed</output>
}

async function moving() {
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      settings: { self: someSettings() },
      connection: { self: aConnection() },
    },
    windows: [],
  })
  bridge.on('moving.finish', () => undefined)
  bridge.on('moving.cancel', () => undefined)
  const { store } = await renderInApp(<Page />, bridge)
  act(() => void store.dispatch(dialogOpened({ kind: 'move-workspace' })))
  return { bridge, store, user: userEvent.setup() }
}

const SAVED = { fileName: 'parlor-workspace.parlor-workspace', folderName: 'Downloads', keys: true }

test('saving asks for a passphrase twice, says how far it is, and puts the workspace aside when its end was read', async () => {
  const { bridge, store, user } = await moving()
  let saved: (answer: object) => void = () => undefined
  bridge.on('moving.save', () => new Promise((resolve) => (saved = resolve)))
  await user.type(screen.getByLabelText('Passphrase'), 'seven lamps in a row')
  await user.type(screen.getByLabelText('Repeat passphrase'), 'seven lamps in a room{Enter}')
  const refused = screen.getByText('The passphrases don’t match.')
  await user.clear(screen.getByLabelText('Repeat passphrase'))
  await user.type(screen.getByLabelText('Repeat passphrase'), 'seven lamps in a row{Enter}')
  act(() => store.dispatch(sendCommand('moveProgressed', { step: 'writing', done: 1_000_000, total: 4_000_000 })))
  const bar = screen.getByRole<HTMLProgressElement>('progressbar', { name: 'Saving…' })

  expect(refused.isConnected).toBe(false)
  expect(bar.value).toBe(0.25)
  expect(screen.getByText('1 MB of 4 MB').isConnected).toBe(true)
  saved({ saved: SAVED })
  await screen.findByText(/Saved as “parlor-workspace.parlor-workspace”/)
  expect(bridge.inputsOf('moving.finish')).toEqual([])
  await user.click(button('Done'))
  await screen.findByText('closed')
  expect(bridge.inputsOf('moving.save')).toEqual([{ passphrase: 'seven lamps in a row' }])
  expect(bridge.inputsOf('moving.finish')).toHaveLength(1)
})

test('saving without a passphrase says what that means', async () => {
  const { bridge, user } = await moving()
  bridge.on('moving.save', () => ({ saved: { ...SAVED, keys: false } }))
  await user.click(screen.getByRole('switch', { name: 'Protect with a passphrase' }))
  const warning = screen.getByText(/Anyone who gets the file can read it/)
  await user.click(button('Save and move'))

  expect(warning.isConnected).toBe(false)
  expect((await screen.findByText(/Then invite people again/)).isConnected).toBe(true)
  expect(bridge.inputsOf('moving.save')).toEqual([{}])
})

test('canceling while it is saved waits until nothing is left of it; a full disk is said', async () => {
  const { bridge, user } = await moving()
  let ended: (answer: object) => void = () => undefined
  bridge.on('moving.save', () => new Promise((resolve) => (ended = resolve)))
  await user.click(screen.getByRole('switch', { name: 'Protect with a passphrase' }))
  await user.click(button('Save and move'))
  await user.click(button('Cancel'))
  const isStillOpen = screen.queryByText('closed') === null
  ended({})
  await screen.findByText('closed')

  expect(isStillOpen).toBe(true)
  expect(bridge.inputsOf('moving.cancel')).toHaveLength(1)
  cleanup()
  const again = await moving()
  again.bridge.on('moving.save', () => {
    throw new AppError('data/disk-full')
  })
  await again.user.click(screen.getByRole('switch', { name: 'Protect with a passphrase' }))
  await again.user.click(button('Save and move'))
  expect((await screen.findByRole('alert')).textContent).toContain('disk')
})

const LOOK: WorkspaceFileLook = {
  id: 'f1',
  name: 'Cairn Maps',
  ownerName: 'Ann',
  savedAt: Date.UTC(2026, 10, 27, 9),
  bytes: 4_000_000,
  keys: true,
  shared: true,
}

async function opening(bytes = 'ParlorWF') {
  const bridge = createFakeBridge({ rows: { session: { self: { state: 'signed-out' } } } })
  bridge.on('session.systemName', () => '')
  bridge.on('session.leftWorkspaces', () => [
    { place: 'own', name: 'Studio', userId: asUserId('ann'), movedAt: LOOK.savedAt },
  ])
  bridge.on('moving.receive', () => ({ id: 'f1' }))
  bridge.on('moving.forget', () => undefined)
  bridge.on('moving.look', ({ passphrase }) => {
    if (passphrase === undefined) throw new AppError('workspace-file/sealed')
    if (passphrase !== 'seven lamps') throw new AppError('workspace-file/passphrase')
    return LOOK
  })
  bridge.on('moving.open', () => true)
  const { store } = await renderInApp(<Onboarding />, bridge)
  const user = userEvent.setup()
  await user.click(button(/Join or connect/))
  await user.click(button(/I have a workspace file/))
  await user.upload(
    screen.getByLabelText('Choose file…', { selector: 'input' }),
    new File([bytes], 'a.parlor-workspace'),
  )
  return { bridge, store, user }
}

test('a file is opened with its passphrase, after it was seen what is in it, and shared again', async () => {
  const { bridge, user } = await opening()
  await user.type(await screen.findByLabelText('Passphrase'), 'nine lamps{Enter}')
  const wrong = await screen.findByText('Wrong passphrase. Try again.')
  await user.clear(screen.getByLabelText('Passphrase'))
  await user.type(screen.getByLabelText('Passphrase'), 'seven lamps{Enter}')
  const name = await screen.findByText('Cairn Maps')
  const share = screen.getByRole('switch', { name: 'Share on this network again' })

  expect(wrong.isConnected).toBe(false)
  expect(name.isConnected).toBe(true)
  expect(share.getAttribute('aria-checked')).toBe('true')
  expect(document.activeElement).toBe(button('Open workspace'))
  await user.click(button('Open workspace'))
  await waitFor(() => expect(bridge.inputsOf('moving.open')).toEqual([{ id: 'f1', share: true }]))
})

test('an empty file is none, and a file that is not opened is deleted', async () => {
  const { bridge } = await opening('')
  expect((await screen.findByRole('alert')).textContent).toBe(
    'This isn’t a Parlor workspace file. Choose another file.',
  )
  expect(bridge.inputsOf('moving.receive')).toEqual([])
  cleanup()
  const again = await opening()
  await screen.findByLabelText('Passphrase')
  await again.user.click(button('Back'))
  await waitFor(() => expect(again.bridge.inputsOf('moving.forget')).toEqual([{ id: 'f1' }]))
})

test('a workspace that has moved is taken back after a question', async () => {
  const bridge = createFakeBridge({ rows: { session: { self: { state: 'signed-out' } } } })
  bridge.on('session.openLeft', () => undefined)
  await renderInApp(<TakeBackDialog place="own" name="Studio" at={LOOK.savedAt} />, bridge)
  const question = screen.getByRole('alertdialog', { name: 'Take back “Studio”?' })
  await userEvent.click(button('Take back'))

  expect(question.textContent).toContain('What was written on the other device since then isn’t here.')
  expect(bridge.inputsOf('session.openLeft')).toEqual([{ place: 'own' }])
})

test('the question whether to take it back also leads to deleting it', async () => {
  const bridge = createFakeBridge({ rows: { session: { self: { state: 'signed-out' } } } })
  const { store } = await renderInApp(<TakeBackDialog place="own" name="Studio" at={LOOK.savedAt} />, bridge)
  await userEvent.click(button('Delete from this device…'))

  expect(store.getState().ui.dialog).toEqual({ kind: 'delete-left', place: 'own', name: 'Studio' })
})

test('what stayed of a workspace that has moved is deleted once its name is typed', async () => {
  const bridge = createFakeBridge({ rows: { session: { self: { state: 'signed-out' } } } })
  bridge.on('session.deleteLeft', () => undefined)
  await renderInApp(<DeleteLeftDialog place="own" name="Studio" />, bridge)
  const dialog = screen.getByRole('dialog', { name: 'Delete Studio?' })
  await userEvent.click(button('Delete workspace'))
  const early = bridge.inputsOf('session.deleteLeft').length
  await userEvent.type(screen.getByRole('textbox'), 'Studio')
  await userEvent.click(button('Delete workspace'))

  expect(dialog.textContent).toContain('Open it on the other device first')
  expect(early).toBe(0)
  expect(bridge.inputsOf('session.deleteLeft')).toEqual([{ place: 'own' }])
})
