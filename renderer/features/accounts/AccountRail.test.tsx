import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import type { AccountEntry } from '#shared/domain/session.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { panelOpened } from '../../store/window/ui.ts'
import { AccountRail } from './index.ts'
import { AccountDialog, RenewDialog } from './AccountDialog.tsx'

afterEach(cleanup)

const anAccount = (key: string, over: Partial<AccountEntry> = {}): AccountEntry => ({
  key,
  kind: 'hosted',
  name: key,
  workspaceName: key,
  userId: asUserId('ola'),
  userName: 'Ola',
  hue: 1,
  muted: false,
  unread: 0,
  mentions: 0,
  connection: 'connected',
  link: key,
  ...over,
})

test('accounts have no second rail where the sidebar is one for want of room, nor in one column', async () => {
  for (const [width, panel, shown] of [
    [1440, true, true],
    [1024, false, true],
    [1024, true, false],
    [450, false, false],
  ] as const) {
    vi.stubGlobal('innerWidth', width)
    const { store } = await show(anAccount('home'), anAccount('work'))
    if (panel) act(() => void store.dispatch(panelOpened({ kind: 'outbox' })))
    expect(screen.queryByRole('navigation', { name: 'Accounts' }) !== null, `${width}`).toBe(shown)
    cleanup()
  }
  vi.unstubAllGlobals()
})

async function show(...accounts: readonly AccountEntry[]) {
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      settings: { self: someSettings() },
      connection: { self: aConnection() },
      accounts: { self: { accounts, shown: accounts[0]?.key ?? '' } },
    },
  })
  const { store } = await renderInApp(<AccountRail />, bridge)
  return { bridge, store, user: userEvent.setup() }
}

const item = (name: string | RegExp) => screen.getByRole('button', { name })

test('with one account there is no rail', async () => {
  await show(anAccount('Home'))
  expect(screen.queryByRole('navigation')).toBeNull()
})

test('the label of each account has its user, its unread count and its problem', async () => {
  await show(
    anAccount('Home', { mentions: 2, unread: 5 }),
    anAccount('Work', { unread: 1, connection: 'sign-in' }),
    anAccount('Club', { muted: true }),
  )
  const rail = within(screen.getByRole('navigation', { name: 'Accounts' }))
  expect(rail.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Home, Ola, 2 for you',
    'Work, Ola, Sign-in needed, 1 unread message',
    'Club, Ola, muted',
    'Add a workspace',
  ])
  expect(item(/^Home/).getAttribute('aria-current')).toBe('true')
  const marks = [/^Home/, /^Work/, /^Club/].map((name) =>
    item(name).querySelector('[data-mark]')?.getAttribute('data-mark'),
  )
  expect(marks).toEqual(['mentions', 'trouble', 'muted'])
})

test('a message in another account puts a dot on it', async () => {
  const { bridge } = await show(anAccount('Home'), anAccount('Work'))
  expect(item(/^Work/).querySelector('[data-mark]')).toBeNull()
  act(() =>
    bridge.change({
      accounts: { self: { accounts: [anAccount('Home'), anAccount('Work', { unread: 1 })], shown: 'Home' } },
    }),
  )
  expect((await screen.findByRole('button', { name: /1 unread message/ })).querySelector('[data-mark]')).not.toBeNull()
})

test('a click switches to an account; on the current one nothing happens', async () => {
  const { store, user } = await show(anAccount('Home'), anAccount('Work'))
  await user.click(item(/^Home/))
  expect(store.getState().ui.leaving).toBeUndefined()
  await user.click(item(/^Work/))
  expect(store.getState().ui.leaving).toEqual({ key: 'Work' })
})

test('arrows move the focus in the rail, with Ctrl and Shift they move the account', async () => {
  const { bridge, user } = await show(anAccount('Home'), anAccount('Work'), anAccount('Club'))
  item(/^Home/).focus()
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(item(/^Work/))
  await user.keyboard('{Control>}{Shift>}{ArrowUp}{/Shift}{/Control}')
  expect(bridge.inputsOf('session.arrange')).toEqual([{ keys: ['Work', 'Home', 'Club'] }])
})

test('the menu of an account mutes it, opens it in a new window, and signs out of it', async () => {
  const { bridge, store, user } = await show(anAccount('Home'), anAccount('Work'))
  bridge.on('session.openWindow', () => ({}))
  const choose = async (name: RegExp, role = 'menuitem'): Promise<void> => {
    await user.pointer({ target: item(/^Work/), keys: '[MouseRight]' })
    await user.click(screen.getByRole(role, { name }))
  }
  await choose(/Mute notifications/, 'menuitemcheckbox')
  expect(bridge.inputsOf('session.change')).toEqual([{ key: 'Work', muted: true }])
  await choose(/new window/)
  expect(bridge.inputsOf('session.openWindow')).toEqual([{ key: 'Work' }])
  await choose(/Sign out/)
  expect(store.getState().ui.dialog).toEqual({ kind: 'sign-out', account: 'Work' })
})

test('a workspace is renamed and recolored; a name like its own is not stored, so that it is followed', async () => {
  const home = anAccount('Home', { workspaceName: '127.0.0.1:7181' })
  const { bridge, user } = await show(home)
  cleanup()
  await renderInApp(<AccountDialog account="Home" />, bridge)
  const name = screen.getByRole('textbox', { name: 'Name' })
  await user.clear(name)
  await user.type(name, 'Cairn Maps')
  await user.click(screen.getByRole('radio', { name: 'Blue' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await user.clear(name)
  await user.type(name, '127.0.0.1:7181 ')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(bridge.inputsOf('session.change')).toEqual([
    { key: 'Home', name: 'Cairn Maps', hue: 6 },
    { key: 'Home', name: '', hue: 6 },
  ])
})

test('a new token is sent for the account that needs it, and an error is shown under the field', async () => {
  const { bridge, user } = await show(anAccount('Home', { connection: 'sign-in' }), anAccount('Work'))
  cleanup()
  await renderInApp(<RenewDialog account="Home" />, bridge)
  bridge.on('session.renew', () => {
    throw { code: 'session/token-mismatch' } as unknown as Error
  })
  await user.type(await screen.findByLabelText('Token'), 'abc')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(await screen.findByRole('alert')).toHaveProperty(
    'textContent',
    'userToken does not have a user_id or is not matching with user.id',
  )
  bridge.on('session.renew', () => undefined)
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(bridge.inputsOf('session.renew')).toEqual([
    { key: 'Home', token: 'abc' },
    { key: 'Home', token: 'abc' },
  ])
})
