import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeHost, type FakeWindow } from '#kit/fake-host.ts'
import { refusal } from '#kit/fake-http.ts'
import { aWireChannelState, aWireMessage, aWireUser, at } from '#kit/lone-engine.ts'
import type { SearchPage } from '#shared/domain/search.ts'
import type { AccountList } from '#shared/domain/session.ts'
import type { ChangeSet, Effect } from '#shared/domain/changes.ts'
import { DEFAULT_DESKTOP } from '#shared/domain/desktop/desktop.ts'
import type { SystemNotice, TrayPicture } from '#main/hosts/host.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { accountKey } from './account.ts'
import type { Composed } from '../launch-options.ts'
import { compose } from '#main/app/compose.ts'

/** Two users of two servers in one profile, with the real engine: both have the same channel id. */
const CID = 'team:general'
const refOf = (userId: string): AccountRef => ({
  kind: 'hosted',
  url: `https://${userId}.example`,
  apiKey: 'K',
  userId,
})
const [ANN, BEN] = [accountKey(refOf('ann')), accountKey(refOf('ben'))]
const named = (userId: string) => ({ ...aWireUser(userId), name: `Name of ${userId}` })
const tokenOf = (userId: string): string =>
  `e30.${Buffer.from(JSON.stringify({ user_id: userId })).toString('base64url')}.sig`

let host: FakeHost
let composed: Composed | undefined
let shown: SystemNotice[]
let tray: TrayPicture | undefined

beforeEach(() => {
  host = new FakeHost()
  shown = []
  tray = undefined
  const channel = (userId: string) => {
    const me = { user_id: userId, user: named(userId), created_at: at(-1e6) }
    return {
      ...aWireChannelState([]),
      members: [me, { user_id: 'x', user: aWireUser('x'), created_at: at(-1e6) }],
      membership: me,
      read: [],
    }
  }
  host.http
    .on('GET', '/app', { body: { app: { name: 'Parlor' } } })
    .on('POST', '/channels', (call) => ({
      body: { channels: [channel(call.at.searchParams.get('user_id') ?? '')] },
    }))
    .on('POST', '/channels/:type/:id/query', (call) => ({ body: channel(call.at.searchParams.get('user_id') ?? '') }))
    .on('POST', '/sync', { body: { events: [] } })
})
afterEach(async () => {
  const stopping = composed?.stop()
  composed = undefined
  await host.clock.advance(3_000)
  await stopping
  host.dispose()
})

/** The first start opens the demo; later ones go on from there. */
async function start(isFirst = true): Promise<FakeWindow> {
  const notifier = {
    isAvailable: () => true,
    show: (notice: SystemNotice) => void shown.push(notice),
    withdraw: () => undefined,
  }
  const mark = { hasPlace: () => Promise.resolve(true), show: (picture?: TrayPicture) => void (tray = picture) }
  composed = await compose({ ...host.host, notifier, tray: mark }, host.dispatch, { demo: isFirst })
  await host.clock.settle()
  return host.window()
}

/** Calls use the real disk, whose callbacks need turns of the event loop, not the clock. */
async function call<Answer>(window: FakeWindow, name: string, input: unknown = {}): Promise<Answer> {
  const answer = { isThere: false }
  const reply = window.call(name, input).finally(() => (answer.isThere = true))
  while (!answer.isThere) {
    await host.clock.advance(20)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const result = await reply
  if (!result.ok) throw Object.assign(new Error(result.error.code), result.error)
  return result.value as Answer
}

/** Signs in and waits for the connection; the demo of a new profile is signed out. */
async function signIn(window: FakeWindow, userId: string): Promise<void> {
  const before = host.sockets.all.length
  await call(window, 'session.connectHosted', { url: `https://${userId}.example`, apiKey: 'K', token: tokenOf(userId) })
  await host.clock.settle()
  for (const socket of host.sockets.all.slice(before)) if (socket.state === 'opening') socket.accept({ id: userId })
  await host.clock.advance(1_500)
}

async function annAndBen(): Promise<FakeWindow> {
  const window = await start()
  await call(window, 'app.attach')
  await call(window, 'session.signOut', { wipe: true })
  await signIn(window, 'ann')
  await signIn(window, 'ben')
  await attach(window)
  return window
}

const attach = (window: FakeWindow): Promise<ChangeSet> => call<ChangeSet>(window, 'app.attach')
const listOf = async (window: FakeWindow): Promise<AccountList | undefined> =>
  (await attach(window)).put.accounts?.['self']
/** Without update notices, which every window gets and which belong to no account. */
const allEffects = (window: FakeWindow): Effect[] =>
  window.pushes.flatMap((push) => (push.kind === 'effect' && push.effect.type !== 'updates' ? [push.effect] : []))
/** Without that of the demo, which is deleted before the others sign in. */
const effects = (window: FakeWindow): Effect[] => allEffects(window).filter(({ type }) => type !== 'deleted')

async function receive(to: string, text: string): Promise<void> {
  const socket = host.sockets.live.find(({ url }) => url.includes(`${to}.example`))
  const message = {
    ...aWireMessage(`${to}-${text.length}`, 5_000, { text, user: aWireUser('x') }),
    cid: CID,
    mentioned_users: [named(to)],
  }
  socket?.frame({ type: 'message.new', cid: CID, created_at: at(5_000), message, user: aWireUser('x') })
  await host.clock.advance(500)
}

test('both are open and connected, and the window shows the one that was added last', async () => {
  const window = await annAndBen()
  const list = await listOf(window)
  expect(list?.accounts.map(({ key, name, connection: line }) => [key, name, line])).toEqual([
    [ANN, 'ann.example', 'connected'],
    [BEN, 'ben.example', 'connected'],
  ])
  expect(list?.shown).toBe(BEN)
  expect(host.sockets.live.length).toBe(2)
})

test('messages in the hidden account count in the rail and on the badge, and do not reach the window', async () => {
  const window = await annAndBen()
  window.pushes.length = 0
  await receive('ann', 'a secret of ann')
  expect(JSON.stringify(window.pushes)).not.toContain('secret')
  const list = await listOf(window)
  expect(list?.accounts.map(({ unread, mentions }) => [unread, mentions])).toEqual([
    [1, 1],
    [0, 0],
  ])
  expect(host.badges.at(-1)).toBe(1)
})

test('switching replaces everything: the second snapshot contains nothing of the first account', async () => {
  const window = await annAndBen()
  await receive('ann', 'a secret of ann')
  await receive('ben', 'a secret of ben')
  await call(window, 'session.show', { key: ANN })
  const there = await call<ChangeSet>(window, 'app.attach', { lastChannel: CID })
  expect(there.put.session?.['self']?.userId).toBe('ann')
  expect(there.put.accounts?.['self']?.shown).toEqual(ANN)
  window.pushes.length = 0
  await call(window, 'channels.open', { cid: CID })
  await host.clock.advance(500)
  const seen = JSON.stringify([{ ...there, put: { ...there.put, accounts: {} } }, window.pushes])
  expect(seen).toContain('Name of ann')
  expect(seen).not.toMatch(/secret of ben|Name of ben/)
  expect(host.sockets.live.length).toBe(2)
})

test('its notification names the account, and a click switches the window to it', async () => {
  const window = await annAndBen()
  await receive('ann', 'are you there?')
  expect(shown.map(({ title }) => title)).toHaveLength(1)
  shown[0]?.onClick()
  expect(effects(window)).toEqual([
    { type: 'account', key: ANN, place: expect.objectContaining({ type: 'focus', cid: CID }) },
  ])
})

test('a muted account does not notify and counts only in the rail', async () => {
  const window = await annAndBen()
  await call(window, 'session.change', { key: ANN, muted: true })
  await receive('ann', 'are you there?')
  expect(shown).toEqual([])
  expect(host.badges).toEqual([])
  expect((await listOf(window))?.accounts[0]).toMatchObject({ muted: true, mentions: 1 })
})

test('the tray icon does not count a muted account', async () => {
  // Drawing it needs the disk as well.
  const drawnWith = (mark: TrayPicture['mark']): Promise<boolean> =>
    vi.waitUntil(() => host.clock.advance(20).then(() => tray?.mark === mark), { timeout: 30_000 })
  const window = await annAndBen()
  await call(window, 'settings.update', { desktop: { ...DEFAULT_DESKTOP, tray: 'on' } })
  await receive('ann', 'are you there?')
  expect(await drawnWith('mention')).toBe(true)
  await call(window, 'session.change', { key: ANN, muted: true })
  expect(await drawnWith('plain')).toBe(true)
})

test('name, color and order are in the list, and restored after a restart with both accounts', async () => {
  const window = await annAndBen()
  await call(window, 'session.change', { key: ANN, name: 'Work', hue: 2 })
  await call(window, 'session.arrange', { keys: [BEN, ANN] })
  const stopping = composed?.stop()
  await host.clock.advance(3_000)
  await stopping
  const again = await start(false)
  const list = await listOf(again)
  expect(list?.accounts.map(({ key, name, hue }) => [key, name, key === ANN ? hue : 0])).toEqual([
    [BEN, 'ben.example', 0],
    [ANN, 'Work', 2],
  ])
  expect(list?.shown).toBe(BEN)
})

test('signing out of one leaves the other shown and connected', async () => {
  const window = await annAndBen()
  await call(window, 'session.signOut', { wipe: true })
  expect(allEffects(window)).toContainEqual({ type: 'deleted', accounts: [BEN] })
  expect((await attach(window)).put.session?.['self']?.userId).toBe('ann')
  await call(window, 'session.signOut', { wipe: false, key: ANN })
  expect((await attach(window)).put.session?.['self']).toEqual({ state: 'signed-out' })
})

test('signing out forgets where that account was left, and only that; a window that lets go of it brings nothing back', async () => {
  const window = await annAndBen()
  const place = (messageId: string) => ({ [CID]: { messageId, at: 1, offset: 0, leftAt: 1 } })
  const all = {
    leftPlaces: { [ANN]: place('a'), [BEN]: place('b') },
    lastChannels: { [ANN]: CID, [BEN]: CID },
  }
  const stored = async () => {
    const { leftPlaces, lastChannels } = (await attach(window)).put.settings?.['self'] ?? {}
    return [Object.keys(leftPlaces ?? {}), Object.keys(lastChannels ?? {})]
  }
  await call(window, 'settings.update', all)
  expect(await stored()).toEqual([
    [ANN, BEN],
    [ANN, BEN],
  ])
  await call(window, 'session.signOut', { wipe: false, key: ANN })
  expect(await stored()).toEqual([[BEN], [BEN]])
  await call(window, 'settings.update', all)
  expect(await stored()).toEqual([[BEN], [BEN]])
  await signIn(window, 'ann')
  await call(window, 'settings.update', all)
  expect(await stored()).toEqual([
    [ANN, BEN],
    [ANN, BEN],
  ])
})

test('a second window of the other account is another window of the same engine', async () => {
  const window = await annAndBen()
  await call(window, 'session.openWindow', { key: ANN })
  expect(host.opened).toEqual([{}])
  const second = host.window('w2')
  expect((await attach(second)).put.session?.['self']?.userId).toBe('ann')
  expect((await attach(window)).put.session?.['self']?.userId).toBe('ben')
  await receive('ann', 'hello')
  expect(effects(window)).toEqual([])
  expect(host.sockets.live.length).toBe(2)
})

test('a link opens the account it names, whichever is shown', async () => {
  const window = await annAndBen()
  composed?.follow({ route: 'channel', workspace: 'ann.example', cid: CID })
  expect(effects(window)).toMatchObject([{ type: 'account', key: ANN, place: { type: 'link' } }])
})

test('a new token of another user is refused; the right one is accepted, and the account restarts with it', async () => {
  const window = await annAndBen()
  const renew = (token: string): Promise<void> => call(window, 'session.renew', { key: ANN, token })
  await expect(renew(tokenOf('ben'))).rejects.toMatchObject({ code: 'session/token-mismatch' })
  host.http.on('GET', '/app', refusal(401, 43))
  await expect(renew(tokenOf('ann'))).rejects.toMatchObject({ code: 'server/token-signature' })
  host.http.on('GET', '/app', { body: { app: { name: 'Parlor' } } })
  const before = host.sockets.all.length
  await renew(`${tokenOf('ann')}new`)
  await host.clock.settle()
  expect(host.sockets.all[before]?.query.get('authorization')).toBe(`${tokenOf('ann')}new`)
})

describe('a search across accounts', () => {
  type Found = Pick<SearchPage, 'server'> & { readonly hits: readonly { readonly messageId: string }[] }
  const find = (window: FakeWindow, key: string, text = 'secret '): Promise<Found> =>
    call(window, 'elsewhere.messages', { key, text, ask: 'server' })

  test('is answered by the other account from its own cache and its own server, and stored nowhere else', async () => {
    const asked: string[] = []
    host.http.on('GET', '/search', ({ at: { host: name } }) => {
      asked.push(name)
      return { body: { results: [] } }
    })
    const window = await annAndBen()
    await receive('ann', 'a secret of ann')
    window.pushes.length = 0
    const found = await find(window, ANN)
    expect(found.hits.map(({ messageId }) => messageId)).toEqual(['ann-15'])
    expect(found.server).toBe('asked')
    expect(asked).toEqual(['ann.example'])
    expect(JSON.stringify(window.pushes)).not.toContain('secret')
    expect((await call<Found>(window, 'search.messages', { text: 'secret ' })).hits).toEqual([])
  })

  test('is refused to an account that was signed out, or has to sign in again', async () => {
    const window = await annAndBen()
    await receive('ann', 'a secret of ann')
    host.sockets.live.find(({ url }) => url.includes('ann.example'))?.refuse(5, 'revoked')
    await host.clock.advance(2_000)
    expect((await listOf(window))?.accounts[0]).toMatchObject({ connection: 'sign-in' })
    await expect(find(window, ANN)).rejects.toMatchObject({ code: 'session/signed-out' })
    await call(window, 'session.signOut', { wipe: false, key: ANN })
    await expect(find(window, ANN)).rejects.toMatchObject({ code: 'session/no-account' })
  })

  test('does not wait for an account without a connection, and says that its server was not reached', async () => {
    const window = await annAndBen()
    await receive('ann', 'a secret of ann')
    host.sockets.live.find(({ url }) => url.includes('ann.example'))?.end()
    await host.clock.settle()
    expect(await find(window, ANN)).toMatchObject({ server: 'unreachable', hits: [{ messageId: 'ann-15' }] })
  })

  test('is refused to windows without the list of accounts, and while Parlor is locked', async () => {
    const window = await annAndBen()
    const thread = host.window('w2')
    await call(thread, 'app.attach', { own: { cid: CID } })
    await expect(find(thread, ANN)).rejects.toMatchObject({ code: 'session/no-account' })
    await call(window, 'lock.set', { pin: '2468' })
    await window.call('lock.now', undefined)
    await host.clock.advance(1_000)
    await expect(find(window, ANN)).rejects.toMatchObject({ code: 'lock/locked' })
    await expect(call(window, 'elsewhere.names', { key: ANN, text: 'x' })).rejects.toMatchObject({
      code: 'lock/locked',
    })
  })
})

test('an account outside of this profile is not shown', async () => {
  const window = await annAndBen()
  await expect(call(window, 'session.show', { key: accountKey(refOf('eva')) })).rejects.toMatchObject({
    code: 'session/no-account',
  })
})
