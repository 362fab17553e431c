import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addLittleEngine, aChannel, aSession, cairnMaps, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import type { AccountEntry } from '#shared/domain/session.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { accountSwitchStarted } from '../store/window/ui.ts'
import { App } from './App.tsx'
import { registry } from './features.ts'

beforeEach(() => {
  vi.stubGlobal('innerWidth', 1_280)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const anAccount = (key: string): AccountEntry => ({
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
})

const sessionOf = (account: string) =>
  aSession({ account, workspace: { kind: 'hosted', name: account, demo: false, url: `https://${account}` } })

test('text being written is saved before the account is switched, and nothing of it is left in the window', async () => {
  const { rows, windows } = cairnMaps()
  const accounts = [anAccount('home'), anAccount('work')]
  const bridge = addLittleEngine(
    createFakeBridge({
      rows: { ...rows, session: { self: sessionOf('home') }, accounts: { self: { accounts, shown: 'home' } } },
      windows,
    }),
  )
  /** Like main: the window attaches again and gets another account. */
  bridge.on('session.show', () => {
    const channel = aChannel({ cid: 'messaging:release-4-2', name: 'other-place' })
    bridge.world.rows = {
      settings: rows.settings ?? {},
      connection: rows.connection ?? {},
      users: {},
      channels: { [channel.cid]: channel },
      session: { self: sessionOf('work') },
      accounts: { self: { accounts, shown: 'work' } },
    }
    bridge.world.windows = {}
    bridge.reset()
  })
  const { store } = await renderInApp(<App />, bridge, 'en', registry)
  const field = await screen.findByRole('textbox', { name: /^Message/ })
  fireEvent.change(field, { target: { value: 'half a secret' } })
  await act(async () => {
    store.dispatch(accountSwitchStarted({ key: 'work' }))
  })
  await waitFor(() => expect(bridge.inputsOf('session.show')).toEqual([{ key: 'work' }]))
  const names = bridge.calls.map(({ name }) => name)
  expect(bridge.inputsOf('drafts.save').at(-1)).toMatchObject({ text: 'half a secret' })
  expect(names.lastIndexOf('drafts.save')).toBeLessThan(names.indexOf('session.show'))
  await waitFor(() => expect(store.getState().entities.session['self']?.account).toBe('work'))
  const { composers, ui, entities } = store.getState()
  expect(Object.keys(entities.messages)).toEqual([])
  expect(ui.leaving).toBeUndefined()
  expect(ui.back).toEqual([])
  expect(JSON.stringify(composers)).not.toContain('half a secret')
  expect(document.body.innerHTML).not.toContain('half a secret')
  expect(screen.queryByText('Cairn Maps')).toBeNull()
})
