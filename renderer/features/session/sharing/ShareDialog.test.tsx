import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { aChannel, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { AppError } from '#shared/lib/app-error.ts'
import type { AppLanguage } from '#shared/domain/settings.ts'
import type { PortProblem, SharedInvitation, SharingState, WaitingPerson } from '#shared/domain/sharing.ts'
import { ShareDialog } from './ShareDialog.tsx'

afterEach(cleanup)

const OFFICE: SharedInvitation = {
  id: 'a1',
  name: 'Office',
  role: 'user',
  channels: [],
  used: 1,
  uses: 10,
  endsAt: Date.now() + 3_600_000,
  revoked: false,
  link: 'parlor://join/192.168.1.24:7443/f.s',
  code: '7KQ4-M2XD-9TRC-0A5F-W3ZE',
}
const EVE: WaitingPerson = {
  id: 'e1',
  name: 'Ada',
  role: 'user',
  invitation: 'Office',
  address: '192.168.1.9',
  at: Date.now(),
  nameTaken: true,
}
const ON: SharingState = {
  wanted: true,
  on: true,
  port: 7_443,
  addresses: ['192.168.1.24'],
  approve: true,
  announced: 'no',
  invitations: [OFFICE],
  waiting: [],
  connected: [],
}

async function show(state: Partial<SharingState> = {}, language: AppLanguage = 'en') {
  const bridge = createFakeBridge({
    rows: {
      channels: {
        'team:design': aChannel({ cid: 'team:design', type: 'team', id: 'design', name: 'design' }),
        'team:board': aChannel({ cid: 'team:board', type: 'team', id: 'board', name: 'board', isPrivate: true }),
        'messaging:x': aChannel({ cid: 'messaging:x', type: 'messaging', id: 'x', name: 'Ben' }),
      },
    },
  })
  bridge.on('sharing.state', () => ({ ...ON, ...state }))
  for (const call of ['sharing.invite', 'sharing.revoke', 'sharing.announce', 'sharing.stop'] as const) {
    bridge.on(call, () => ({ ...ON, ...state }))
  }
  await renderInApp(<ShareDialog />, bridge, language)
  await screen.findByRole('dialog')
  return bridge
}

test('an invitation of guests names their channels, and none is chosen for the owner', async () => {
  const bridge = await show()
  await userEvent.click(await screen.findByRole('button', { name: 'New invitation' }))
  await userEvent.type(screen.getByLabelText('Name'), 'Clients')
  expect(screen.queryByRole('group', { name: 'Channels for guests' })).toBeNull()
  await userEvent.click(screen.getByRole('radio', { name: 'Guest' }))
  const channels = screen.getByRole('group', { name: 'Channels for guests' })
  expect(within(channels).getAllByRole('checkbox').length).toBe(2)
  await userEvent.click(screen.getByRole('button', { name: 'Create invitation' }))
  expect(screen.getByRole('alert').textContent).toBe('Choose at least one channel.')
  expect(bridge.inputsOf('sharing.invite')).toEqual([])
  await userEvent.click(screen.getByRole('checkbox', { name: 'design' }))
  await userEvent.click(screen.getByRole('button', { name: 'Create invitation' }))
  await waitFor(() =>
    expect(bridge.inputsOf('sharing.invite')).toMatchObject([
      { name: 'Clients', role: 'guest', channels: ['team:design'] },
    ]),
  )
})

test('an invitation of members names none, whatever was chosen before', async () => {
  const bridge = await show()
  await userEvent.click(await screen.findByRole('button', { name: 'New invitation' }))
  await userEvent.type(screen.getByLabelText('Name'), 'Team')
  await userEvent.click(screen.getByRole('radio', { name: 'Guest' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'design' }))
  await userEvent.click(screen.getByRole('radio', { name: 'Member' }))
  await userEvent.click(screen.getByRole('button', { name: 'Create invitation' }))
  await waitFor(() => expect(bridge.inputsOf('sharing.invite')).toMatchObject([{ role: 'user', channels: [] }]))
})

test('revoking an invitation asks first', async () => {
  const bridge = await show()
  await userEvent.click(await screen.findByRole('button', { name: 'Revoke Office' }))
  expect(bridge.inputsOf('sharing.revoke')).toEqual([])
  const asked = screen.getByRole('alertdialog', { name: 'Revoke “Office”?' })
  await userEvent.click(within(asked).getByRole('button', { name: 'Revoke' }))
  await waitFor(() => expect(bridge.inputsOf('sharing.revoke')).toEqual([{ id: 'a1' }]))
  expect(await screen.findByRole('dialog', { name: 'Share on this network' })).toBeDefined()
})

test('who waits under the name of somebody there is pointed out', async () => {
  await show({ waiting: [EVE, { ...EVE, id: 'b1', name: 'Bo', nameTaken: false }] })
  const [ada, bo] = within(await screen.findByRole('region', { name: /waiting for you/ })).getAllByRole('listitem')
  expect(ada?.textContent).toContain('Someone here already has this name')
  expect(bo?.textContent).not.toContain('Someone here')
})

test('a stop that fails is said where it was asked for', async () => {
  const bridge = await show()
  bridge.on('sharing.stop', () => {
    throw Object.assign(new Error('down'), { code: 'session/local-server-stopped' })
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Stop sharing' }))
  const asked = screen.getByRole('alertdialog', { name: 'Stop sharing?' })
  await userEvent.click(within(asked).getByRole('button', { name: 'Stop sharing' }))
  expect((await within(asked).findByRole('alert')).textContent).toMatch(/stopped/)
})

test('a shared workspace is shown on the network only by choice, and what prevents it is said', async () => {
  const bridge = await show()
  const visible = await screen.findByRole('switch', { name: 'Show on this network' })
  expect(visible.getAttribute('aria-checked')).toBe('false')
  expect(screen.queryByRole('alert')).toBeNull()
  bridge.on('sharing.announce', () => ({ ...ON, announced: 'failed' }))
  await userEvent.click(visible)
  await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(/Couldn’t show it.*5353/))
  expect(bridge.inputsOf('sharing.announce')).toEqual([{ on: true }])
  bridge.on('sharing.announce', () => ON)
  await userEvent.click(screen.getByRole('switch', { name: 'Show on this network' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(bridge.inputsOf('sharing.announce')).toEqual([{ on: true }, { on: false }])
})

const PROBLEMS: readonly (readonly [PortProblem, AppLanguage, RegExp])[] = [
  ['port-taken', 'en', /Port 7443 is already in use.*Choose another port/],
  ['port-taken', 'pl', /Port 7443 jest zajęty.*Wybierz inny port/],
  ['port-taken', 'ru', /Порт 7443 занят.*Выберите другой порт/],
  ['port-forbidden', 'en', /can’t be opened.*allow Parlor in the firewall/],
  ['port-forbidden', 'pl', /zapor/],
  ['port-forbidden', 'ru', /брандмауэр/],
  ['no-network', 'en', /Not connected to a network/],
  ['no-network', 'pl', /Brak połączenia z siecią/],
  ['no-network', 'ru', /Компьютер не в сети/],
  ['link-local', 'en', /gave this device no address.*Check the cable or the router/],
  ['link-local', 'pl', /nie przydzieliła temu komputerowi adresu.*Sprawdź kabel/],
  ['link-local', 'ru', /не выдала этому компьютеру адрес.*Проверьте кабель/],
  ['not-started', 'en', /The certificate of this device can’t be used/],
  ['not-started', 'pl', /certyfikatu tego komputera/],
  ['not-started', 'ru', /Сертификат этого компьютера не подходит/],
]

test.each(PROBLEMS)('why it is not shared is said: %s in %s', async (problem, language, said) => {
  await show({ on: false, problem }, language)

  expect((await screen.findByRole('alert')).textContent.replaceAll('\u00a0', ' ')).toMatch(said)
})

test.each([
  ['en', /There’s no code to type.*the link or the QR code/],
  ['pl', /Nie ma kodu do wpisania/],
  ['ru', /Кода для ввода нет/],
] as const)('an invitation without a code says why there is none: %s', async (language, said) => {
  const { code: _none, ...withoutCode } = OFFICE
  await show({ invitations: [withoutCode] }, language)

  expect((await screen.findByRole('dialog')).textContent.replaceAll('\u00a0', ' ')).toMatch(said)
  expect(screen.getByDisplayValue(/^parlor:/)).toBeDefined()
})

test.each([
  ['en', /The disk is full, so nothing has changed/],
  ['pl', /Dysk jest pełny, więc nic się nie zmieniło/],
  ['ru', /Диск заполнен, поэтому ничего не изменилось/],
] as const)('a full disk is said where sharing was to start: %s', async (language, said) => {
  const bridge = await show({ on: false, wanted: false }, language)
  bridge.on('sharing.start', () => Promise.reject(new AppError('disk/full')))
  const [start] = screen.getAllByRole('button').filter((each) => each.getAttribute('type') === 'submit')
  if (start) await userEvent.click(start)

  expect((await screen.findByRole('alert')).textContent.replaceAll('\u00a0', ' ')).toMatch(said)
})
