import { afterEach, expect, test, vi } from 'vitest'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Integration, ProgramCall } from '#shared/domain/manage/integrations.ts'
import { MANAGE_RIGHTS } from '#shared/domain/manage/manage.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import {
  aChannel,
  aConnection,
  aSession,
  aUser,
  byCid,
  byId,
  createFakeBridge,
} from '../../../../tests/kit/fake-bridge/index.ts'
import { pressNewButton } from '../../../lib/page/focus.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { IntegrationsPage } from './IntegrationsPage.tsx'

afterEach(cleanup)

const CID = asCid('team:builds')
const an = (given: Partial<Integration>): Integration => ({
  id: 'one',
  kind: 'incoming',
  name: 'Build server',
  cid: CID,
  address: 'http://127.0.0.1:7181/hooks/',
  events: [],
  createdBy: asUserId('ola'),
  createdAt: 1_760_000_000_000,
  paused: false,
  fails: 0,
  ...given,
})
const hook = an({})
const desk = an({
  id: 'two',
  kind: 'outgoing',
  name: 'Ticket desk',
  url: 'https://desk.example/in',
  events: ['message.new'],
})
const deploy = an({ id: 'three', kind: 'command', name: 'Deployer', command: 'deploy', url: 'https://build.example/x' })
const old = an({ id: 'four', kind: 'key', name: 'Old script', keyStart: 'prl_read_7f2c', revokedAt: 1_760_000_000_000 })
const aCall = (given: Partial<ProgramCall>): ProgramCall => ({
  id: 1,
  at: Date.now(),
  took: 3,
  status: 200,
  outcome: 'posted',
  what: 'RC2 passed',
  source: '10.0.4.7',
  ...given,
})

function scene(all: readonly Integration[] = [hook, desk, deploy, old], connection = aConnection()) {
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      users: byId([aUser({ id: 'ola', name: 'Ola' })]),
      channels: byCid([aChannel({ cid: CID, name: 'builds', capabilities: ['send-message'] })]),
      connection: { self: connection },
      manage: { self: { rights: [...MANAGE_RIGHTS], source: 'owner', changes: {} } },
    },
  })
  bridge.on('integrations.list', () => all)
  bridge.on('integrations.calls', () => [
    aCall({}),
    aCall({ id: 2, status: 400, outcome: 'no-text', what: '', request: '{}' }),
  ])
  return bridge
}
const refused = (code: string) => () => {
  throw new AppError(code)
}

test('programs are listed by kind; a revoked one stays, and offers nothing', async () => {
  await renderInApp(<IntegrationsPage />, scene())
  const list = await screen.findByRole('group', { name: 'Integrations' })
  expect(
    within(list)
      .getAllByRole('heading')
      .map(({ textContent }) => textContent),
  ).toEqual(['Incoming webhooks', 'Outgoing webhooks', 'Slash commands', 'Script keys'])
  expect(within(list).getByRole('button', { name: /\/deploy.*Answered by build.example/ })).toBeTruthy()
  await userEvent.click(within(list).getByRole('button', { name: /Old script.*Revoked on/ }))
  const detail = screen.getByRole('region', { name: 'Old script' })
  expect(within(detail).queryByRole('button', { name: 'Send test' })).toBeNull()
  expect(within(detail).queryByRole('button', { name: 'Revoke…' })).toBeNull()
})

test('in a single column one arrow goes one level up: to the list, then to the pages', async () => {
  const width = window.innerWidth
  window.innerWidth = 450
  const onBack = vi.fn<() => void>()
  await renderInApp(<IntegrationsPage onBack={onBack} />, scene())
  await userEvent.click(await screen.findByRole('button', { name: /Build server/ }))
  const arrows = screen.getAllByRole('button', { name: 'Back' })
  await userEvent.click(screen.getByRole('button', { name: 'Back' }))
  const early = onBack.mock.calls.length
  expect(await screen.findByRole('group', { name: 'Integrations' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Back' }))
  window.innerWidth = width

  expect(arrows).toHaveLength(1)
  expect(early).toBe(0)
  expect(onBack).toHaveBeenCalledOnce()
})

test('the address is masked until Show is pressed, and asked for only then', async () => {
  const bridge = scene()
  bridge.on('integrations.reveal', () => 'http://127.0.0.1:7181/hooks/secret')
  await renderInApp(<IntegrationsPage />, bridge)
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: /Address/ })
  expect(field.value).toMatch(/hooks\/•+$/)
  expect(bridge.inputsOf('integrations.reveal')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Show' }))
  await waitFor(() => expect(field.value).toBe('http://127.0.0.1:7181/hooks/secret'))
  await userEvent.click(screen.getByRole('button', { name: 'Hide' }))
  expect(field.value).not.toContain('secret')
})

test('calls are a table with headers; failed ones alone, with what was sent', async () => {
  await renderInApp(<IntegrationsPage />, scene())
  const table = await screen.findByRole('table', { name: 'Last calls' })
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Time', 'Result', 'What', 'From'])
  await userEvent.click(screen.getByRole('radio', { name: 'Failed, 1 call' }))
  expect(within(table).getAllByRole('row')).toHaveLength(2)
  expect(within(table).getByRole('cell', { name: '400 No text' })).toBeTruthy()
  await userEvent.click(within(table).getByRole('button', { name: 'Show request' }))
  expect(within(table).getByText('{}')).toBeTruthy()
})

test('the test says what arrived where, and opens it; a failed one says why', async () => {
  const bridge = scene()
  const messageId = asMessageId('m1')
  bridge.on('integrations.test', () => ({ outcome: 'posted', status: 200, took: 41, cid: CID, messageId }))
  const { store } = await renderInApp(<IntegrationsPage />, bridge)
  await userEvent.click(await screen.findByRole('button', { name: 'Send test' }))
  expect(await screen.findByText('The test arrived in #builds')).toBeTruthy()
  expect(screen.getByText('Answered in 41 ms with status 200.').closest('[role=status]')).toBeTruthy()
  bridge.on('integrations.test', () => ({ outcome: 'channel-gone', took: 2 }))
  await userEvent.click(screen.getByRole('button', { name: 'Send test' }))
  expect(await screen.findByText(/The channel doesn’t exist anymore/)).toBeTruthy()
  expect(store.getState().ui.route.view).not.toBe('later')
})

test('arrows move and show, Enter goes on to the detail, Delete asks before it revokes', async () => {
  const bridge = scene()
  bridge.on('integrations.revoke', () => undefined)
  await renderInApp(<IntegrationsPage />, bridge)
  const user = userEvent.setup()
  const first = await screen.findByRole('button', { name: /Build server/ })
  first.focus()
  await user.keyboard('{ArrowDown}')
  expect(screen.getByRole('region', { name: 'Ticket desk' })).toBeTruthy()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Ticket desk'))
  expect(document.activeElement?.tagName).toBe('H2')
  screen.getByRole('button', { name: /Ticket desk/ }).focus()
  await user.keyboard('{Delete}')
  const question = screen.getByRole('alertdialog', { name: 'Revoke Ticket desk?' })
  expect(bridge.inputsOf('integrations.revoke')).toEqual([])
  await user.click(within(question).getByRole('button', { name: 'Revoke webhook' }))
  await waitFor(() => expect(bridge.inputsOf('integrations.revoke')).toEqual([{ ids: ['two'] }]))
})

test('Escape goes from the detail to its row, in one column and in two', async () => {
  const width = window.innerWidth
  const { unmount } = await renderInApp(<IntegrationsPage />, scene())
  const user = userEvent.setup()
  const row = await screen.findByRole('button', { name: /Ticket desk/ })
  row.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H2'))
  await user.keyboard('{Escape}')
  const beside = document.activeElement?.textContent
  unmount()
  window.innerWidth = 450
  await renderInApp(<IntegrationsPage />, scene())
  await user.click(await screen.findByRole('button', { name: /Ticket desk/ }))
  await waitFor(() => expect(document.activeElement?.closest('section')).toBeTruthy())
  await user.keyboard('{Escape}')
  window.innerWidth = width

  expect(beside).toContain('Ticket desk')
  expect(document.activeElement?.textContent).toContain('Ticket desk')
  expect(screen.queryByRole('region', { name: 'Ticket desk' })).toBeNull()
})

test('the keys of a new message open the kinds of integrations, and the focus comes back to the button', async () => {
  const { store } = await renderInApp(<IntegrationsPage />, scene())
  const user = userEvent.setup()
  const button = await screen.findByRole('button', { name: 'New integration' })
  const pressed = pressNewButton()
  await user.keyboard('{Enter}')

  expect(pressed).toBe(true)
  expect(await screen.findByRole('dialog', { name: 'New incoming webhook' })).toBeTruthy()
  await user.keyboard('{Escape}')
  expect(document.activeElement).toBe(button)
  expect(store.getState().ui.dialog).toBeUndefined()
})

test('several are paused together', async () => {
  const bridge = scene()
  bridge.on('integrations.pause', () => undefined)
  await renderInApp(<IntegrationsPage />, bridge)
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Build server' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Ticket desk' }))
  await userEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Pause' }))
  await waitFor(() => expect(bridge.inputsOf('integrations.pause')).toEqual([{ ids: ['one', 'two'], paused: true }]))
})

test('a new webhook is made in a channel where one may write', async () => {
  const bridge = scene([])
  bridge.on('integrations.create', () => ({ integration: hook, secret: 'x' }))
  await renderInApp(<IntegrationsPage />, bridge)
  expect(await screen.findByText('No integrations yet')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'New integration' }))
  await userEvent.click(screen.getByRole('menuitem', { name: /Incoming webhook/ }))
  const dialog = within(screen.getByRole('dialog', { name: 'New incoming webhook' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Create webhook' }))
  expect(dialog.getByRole('alert').textContent).toBe('Type a name.')
  await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Build server')
  await userEvent.click(dialog.getByRole('button', { name: 'Create webhook' }))
  await waitFor(() =>
    expect(bridge.inputsOf('integrations.create')).toEqual([{ kind: 'incoming', name: 'Build server', cid: CID }]),
  )
})

test('a command is tested before it is made; a name that is taken is said, and what was typed stays', async () => {
  const bridge = scene()
  bridge.on('integrations.probe', () => ({ outcome: 'answered', status: 200, took: 88, answer: 'Ready.' }))
  bridge.on('integrations.create', refused('integrations/taken'))
  await renderInApp(<IntegrationsPage />, bridge)
  await userEvent.click(await screen.findByRole('button', { name: 'New integration' }))
  await userEvent.click(screen.getByRole('menuitem', { name: /Slash command/ }))
  const dialog = within(screen.getByRole('dialog', { name: 'New slash command' }))
  const command = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Command' })
  await userEvent.type(command, '/poll')
  await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Votes')
  await userEvent.type(dialog.getByRole('textbox', { name: 'Address' }), 'https://votes.example/x')
  await userEvent.click(dialog.getByRole('button', { name: 'Test address' }))
  expect(await dialog.findByText('Status 200 in 88 ms: “Ready.”')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Create command' }))
  expect(dialog.getByRole('alert').textContent).toMatch(/The command \/poll is taken/)
  await userEvent.clear(command)
  await userEvent.type(command, 'vote')
  await userEvent.click(dialog.getByRole('button', { name: 'Create command' }))
  expect((await dialog.findByRole('alert')).textContent).toMatch(/This command is taken/)
  expect(command.value).toBe('/vote')
})

test('a key is shown once, with an example', async () => {
  const bridge = scene([])
  bridge.on('integrations.create', () => ({ integration: an({ id: 'k', kind: 'key' }), secret: 'prl_read_abc' }))
  await renderInApp(<IntegrationsPage />, bridge)
  await userEvent.click(await screen.findByRole('button', { name: 'New integration' }))
  await userEvent.click(screen.getByRole('menuitem', { name: /Script key/ }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Backup')
  await userEvent.click(screen.getByRole('button', { name: 'Create key' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Your new key' }))
  expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Key' }).value).toBe('prl_read_abc')
  expect(dialog.getByText(/curl -H/)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Done' }))
  expect(screen.queryByDisplayValue('prl_read_abc')).toBeNull()
})

test('what fails and what waits is said, with what to do', async () => {
  const bridge = scene([
    an({ fails: 14, lastOutcome: 'channel-gone' }),
    { ...desk, waiting: { count: 8, tries: 3, of: 8, nextAt: Date.now() + 60_000 } },
  ])
  bridge.on('integrations.retry', () => undefined)
  await renderInApp(<IntegrationsPage />, bridge)
  expect(await screen.findByText('Build server has failed 14 times')).toBeTruthy()
  expect(screen.getByText('Failing')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /Ticket desk/ }))
  expect(screen.getByText(/3 of 8 tries failed.*8 events are waiting/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Try now' }))
  await waitFor(() => expect(bridge.inputsOf('integrations.retry')).toEqual([{ id: 'two' }]))
})

test('without a connection the list says so, and a loaded one offers no change', async () => {
  const bridge = scene([hook], aConnection({ offline: true }))
  bridge.on('integrations.list', refused('network/offline'))
  await renderInApp(<IntegrationsPage />, bridge)
  expect(await screen.findByRole('heading', { name: 'You’re offline' })).toBeTruthy()
})
