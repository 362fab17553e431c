import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { contract, type EngineClient } from '#shared/bridge/index.ts'
import type { Push } from '#shared/domain/changes.ts'
import type { AccountFileLook } from '#shared/domain/account-file.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { createDispatch } from '#main/bridge/dispatch.ts'
import { unseal } from '#main/app/accounts/account-file-content.ts'
import { compose } from '#main/app/compose.ts'
import { FakeHost } from '#kit/fake-host.ts'
import { Link } from '#kit/sim/network.ts'
import { MEMORY_DISK } from '#kit/sim/memory-disk.ts'
import { Replica } from '#kit/sim/replica.ts'
import { SIM_KEY, SIM_URL } from '#kit/sim/server.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { createWorld, tokenOf, type World } from '#kit/world.ts'
import { cheapKeys } from './sharing/cheap-keys.ts'

/** Two computers, each with its own profile and the whole of Parlor, and the local server between them. */
let world: World
let folder: string
let computers: (() => Promise<void>)[]
let seed = 100
let tick = 0
const PASSPHRASE = 'four words nobody guesses'

beforeAll(() => cheapKeys())
beforeEach(async () => {
  world = await createWorld({ people: ['ola', 'jonas'] })
  folder = mkdtempSync(join(MEMORY_DISK, 'parlor-account-file-'))
  computers = []
})
afterEach(async () => {
  for (const stop of computers) await world.done(stop())
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function aComputer(userId: string) {
  const fake = new FakeHost()
  const ids = seededIds((seed += 1))
  const link = new Link(world.clock, ids, world.server)
  const ports = { ...fake.host.ports, clock: world.clock, ids, http: link, sockets: link }
  const dispatch = createDispatch({ contract, clock: { monotonic: () => (tick += 1_000) }, log: () => undefined })
  const credential = { kind: 'token' as const, token: await tokenOf({ user_id: userId }) }
  const connect = { url: SIM_URL, apiKey: SIM_KEY, credential }
  const app = await world.done(compose({ ...fake.host, ports }, dispatch, { connect }))
  const replica = new Replica()
  const window = {
    id: `window of ${userId} ${seed}`,
    push: (message: Push) => void (message.kind === 'changes' && replica.apply(message.changeSet)),
  }
  async function call(name: string, input?: unknown): Promise<unknown> {
    const answer = dispatch.call(window, name, input)
    // A key is derived in real time.
    const reply = await (name.startsWith('data.') ? answer : world.done(answer))
    if (reply.ok) return reply.value
    throw new AppError(reply.error.code)
  }
  const ui = new Proxy({} as EngineClient, {
    get: (_target, area) =>
      new Proxy({}, { get: (_inner, name) => (input: unknown) => call(`${String(area)}.${String(name)}`, input) }),
  })
  replica.apply(await ui.app.attach({}))
  const save = async (passphrase = PASSPHRASE): Promise<Buffer> => {
    fake.destination = join(folder, `file ${(tick += 1)}`)
    await ui.data.saveAccountFile({ passphrase })
    return readFileSync(fake.destination)
  }
  const choose = async (file: Buffer): Promise<string> => {
    const { id } = await ui.data.openAccountFile({ base64: file.subarray(0, 100).toString('base64'), isLast: false })
    await ui.data.openAccountFile({ id, base64: file.subarray(100).toString('base64'), isLast: true })
    return id
  }
  const open = async (file: Buffer, passphrase = PASSPHRASE): Promise<AccountFileLook> => {
    const id = await choose(file)
    await ui.data.lookIntoAccountFile({ id, passphrase })
    return ui.data.takeAccountFile({ id })
  }
  const stop = async (): Promise<void> => {
    await app.stop()
    fake.dispose()
  }
  computers.push(stop)
  await world.pass(2_000)
  return { ui, fake, link, replica, save, choose, open }
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as AppError).code,
  )
const stored = (): readonly string[] => world.stored(world.cid).map(({ text }) => text)

test('drafts, settings, saved searches, snippets, the sidebar and unsent messages go to another computer', async () => {
  const [one, other] = [await aComputer('ola'), await aComputer('ola')]
  one.link.down()
  await one.ui.drafts.save({ cid: world.cid, text: 'half a thought' })
  await one.ui.messages.send({ cid: world.cid, text: 'written on the train', keepsDraft: true })
  const snippets = [{ name: 'sig', text: 'Yours, Ola' }]
  await one.ui.settings.update({ theme: 'dark', snippets })
  const file = await one.save()
  const look = await other.open(file)
  expect(look.owner).toMatchObject({ userName: 'ola', isShown: true })
  expect(look.parts).toMatchObject({
    drafts: { total: 1, added: 1 },
    messages: { total: 1, added: 1 },
    snippets: { total: 1, added: 1 },
    settings: { total: 1, replaced: 1 },
  })
  expect(look.sends).toEqual([{ cid: world.cid, text: 'written on the train' }])
  await world.rest()
  expect(other.replica.get('drafts', world.cid)?.text).toBe('half a thought')
  expect(other.replica.get('settings', 'self')).toMatchObject({ theme: 'dark', snippets })
  expect(stored()).toEqual(['written on the train'])
})

test('what other accounts of the profile have is not in the file, and stays as it is where the file is opened', async () => {
  const [one, other] = [await aComputer('ola'), await aComputer('ola')]
  const [mine, theirs] = [`hosted ${SIM_URL} ola`, 'hosted https://secret.example spy']
  const digest = { minute: 540, days: 'daily' as const, mentionsNow: true }
  const { notifications } = DEFAULT_SETTINGS
  await one.ui.settings.update({
    notifications: {
      ...notifications,
      digests: { [mine]: { 'team:a': digest }, [theirs]: { 'team:secret': digest } },
      allowed: ['jonas', 'spy-friend'],
    },
  })
  await one.ui.drafts.save({ cid: world.cid, text: 'kept' })
  const file = await one.save()
  const content = (await unseal(file, PASSPHRASE)).toString()
  expect(content).toContain('team:a')
  for (const secret of ['secret', 'spy']) expect(content).not.toContain(secret)
  const elsewhere = { 'hosted https://other.example ola': { 'team:b': digest } }
  await other.ui.settings.update({
    notifications: { ...notifications, presenting: true, digests: elsewhere, allowed: ['boss'] },
  })
  await world.pass(1_000)
  await other.open(file)
  await world.pass(1_000)
  expect(other.replica.get('settings', 'self')?.notifications).toMatchObject({
    presenting: true,
    digests: { ...elsewhere, [mine]: { 'team:a': digest } },
    allowed: ['boss', 'jonas'],
  })
})

test('a message that two computers send arrives once, and both know that it was sent', async () => {
  const [one, other] = [await aComputer('ola'), await aComputer('ola')]
  one.link.down()
  await one.ui.messages.send({ cid: world.cid, text: 'once' })
  await one.ui.messages.send({ cid: world.cid, text: 'and again' })
  const file = await one.save()
  await other.open(file)
  await world.rest()
  one.link.up()
  await world.rest()
  expect(stored()).toEqual(['once', 'and again'])
  for (const { ui } of [one, other])
    expect(await ui.data.accountFileContents()).toMatchObject({ parts: { messages: 0 } })
})

test('what was changed or deleted after one computer sent it is neither sent again nor reported as failed', async () => {
  const [one, other] = [await aComputer('ola'), await aComputer('ola')]
  one.link.down()
  const changed = await one.ui.messages.send({ cid: world.cid, text: 'with a tpyo' })
  const deleted = await one.ui.messages.send({ cid: world.cid, text: 'regretted' })
  const file = await one.save()
  one.link.up()
  await world.rest()
  await one.ui.messages.edit({ messageId: changed, text: 'without one' })
  await one.ui.messages.delete({ messageId: deleted })
  await world.rest()
  other.link.down()
  await other.open(file)
  other.link.up()
  await world.rest()
  expect(world.stored(world.cid).map(({ text, deleted: isGone }) => (isGone ? 'deleted' : text))).toEqual([
    'without one',
    'deleted',
  ])
  expect(await other.ui.data.accountFileContents()).toMatchObject({ parts: { messages: 0 } })
})

test('a file opened twice changes nothing the second time', async () => {
  const [one, other] = [await aComputer('ola'), await aComputer('ola')]
  one.link.down()
  other.link.down()
  await one.ui.drafts.save({ cid: world.cid, text: 'a draft' })
  await one.ui.messages.send({ cid: world.cid, text: 'unsent', keepsDraft: true })
  await one.ui.settings.update({ accent: 'moss', snippets: [{ name: 'a', text: 'b' }] })
  const file = await one.save()
  await other.open(file)
  const again = await other.open(file)
  expect(Object.values(again.parts ?? {}).filter(({ added, replaced }) => added + replaced > 0)).toEqual([])
})

test('the newer draft and the newer setting win, and an overwritten draft stays among the earlier ones', async () => {
  const [one, other] = [await aComputer('ola'), await aComputer('ola')]
  await one.ui.drafts.save({ cid: world.cid, text: 'older' })
  await one.ui.settings.update({ theme: 'dark' })
  await world.pass(1_000)
  await other.ui.drafts.save({ cid: world.cid, text: 'newer' })
  await other.ui.settings.update({ theme: 'light' })
  await world.pass(1_000)
  await other.open(await one.save())
  expect(other.replica.get('drafts', world.cid)?.text).toBe('newer')
  expect(other.replica.get('settings', 'self')?.theme).toBe('light')
  await one.open(await other.save())
  await world.pass(1_000)
  expect(one.replica.get('drafts', world.cid)?.text).toBe('newer')
  expect(one.replica.get('settings', 'self')?.theme).toBe('light')
  expect((await one.ui.drafts.history({ key: world.cid })).map(({ text }) => text)).toEqual(['newer', 'older'])
})

test('saved searches and snippets of both computers are united', async () => {
  const [one, other] = [await aComputer('ola'), await aComputer('ola')]
  const search = (name: string) => ({ name, text: name, chips: [], tab: 'messages' as const })
  const key = `hosted ${SIM_URL} ola`
  await one.ui.settings.update({ savedSearches: { [key]: [search('bugs')] }, snippets: [{ name: 'a', text: 'one' }] })
  await world.pass(1_000)
  await other.ui.settings.update({
    savedSearches: { [key]: [search('money')] },
    snippets: [{ name: 'A', text: 'two' }],
  })
  const look = await other.open(await one.save())
  expect(look.parts).toMatchObject({ searches: { added: 1 }, snippets: { kept: 1 } })
  await world.pass(1_000)
  const settings = other.replica.get('settings', 'self')
  expect(settings?.savedSearches[key]?.map(({ name }) => name)).toEqual(['money', 'bugs'])
  expect(settings?.snippets).toEqual([{ name: 'A', text: 'two' }])
})

test('settings are restored from an older file where the user wants them', async () => {
  const one = await aComputer('ola')
  await one.ui.settings.update({ keys: { threads: ['Mod+G'] } })
  const file = await one.save()
  await world.pass(1_000)
  await one.ui.settings.update({ keys: {} })
  const id = await one.choose(file)
  expect(await one.ui.data.lookIntoAccountFile({ id, passphrase: PASSPHRASE })).toMatchObject({ newerHere: 1 })
  await one.ui.data.takeAccountFile({ id, prefersFile: true })
  await world.pass(1_000)
  expect(one.replica.get('settings', 'self')?.keys).toEqual({ threads: ['Mod+G'] })
})

test('a file of another account is not taken, and the account it belongs to is named', async () => {
  const [ola, jonas] = [await aComputer('ola'), await aComputer('jonas')]
  await ola.ui.drafts.save({ cid: world.cid, text: 'of Ola' })
  const id = await jonas.choose(await ola.save())
  const look = await jonas.ui.data.lookIntoAccountFile({ id, passphrase: PASSPHRASE })
  expect(look.owner).toMatchObject({ userName: 'ola', shownName: 'jonas', isShown: false })
  expect(look.parts).toBeUndefined()
  expect(await codeOf(jonas.ui.data.takeAccountFile({ id }))).toBe('account-file/other')
  expect(jonas.replica.get('drafts', world.cid)).toBeUndefined()
})

test('a wrong passphrase and a damaged, foreign, newer or too large file are told apart, and nothing changes', async () => {
  const [one, other] = [await aComputer('ola'), await aComputer('ola')]
  await one.ui.drafts.save({ cid: world.cid, text: 'kept apart' })
  const file = await one.save()
  const id = await other.choose(file)
  expect(await codeOf(other.ui.data.lookIntoAccountFile({ id, passphrase: 'four words everyone guesses' }))).toBe(
    'account-file/passphrase',
  )
  expect(await codeOf(other.ui.data.takeAccountFile({ id }))).toBe('account-file/passphrase')
  expect(await codeOf(other.choose(file.subarray(0, -1)))).toBe('account-file/damaged')
  expect(await codeOf(other.choose(Buffer.from('{"kind":"parlor-settings"}'.padEnd(200))))).toBe('account-file/not-one')
  expect(await codeOf(other.choose(Buffer.concat([file.subarray(0, 8), Buffer.of(2), file.subarray(9)])))).toBe(
    'account-file/newer',
  )
  expect(other.replica.get('drafts', world.cid)).toBeUndefined()
})

test('a passphrase that is too short to protect a file is refused, and no file is written', async () => {
  const one = await aComputer('ola')
  one.fake.destination = join(folder, 'short')
  for (const passphrase of ['', 'short', '1234567'])
    expect(await codeOf(one.ui.data.saveAccountFile({ passphrase }))).toBe('bridge/invalid-input')
  expect(existsSync(one.fake.destination)).toBe(false)
})

test('a refused write leaves everything as it was: drafts, messages and settings', async () => {
  const [one, other] = [await aComputer('ola'), await aComputer('ola')]
  one.link.down()
  await one.ui.drafts.save({ cid: world.cid, text: 'a draft' })
  await one.ui.messages.send({ cid: world.cid, text: 'unsent', keepsDraft: true })
  await one.ui.settings.update({ theme: 'dark' })
  const id = await other.choose(await one.save())
  await other.ui.data.lookIntoAccountFile({ id, passphrase: PASSPHRASE })
  // The settings are written last: a folder is in the place of their file for a moment.
  const blocked = join(other.fake.data, 'settings.json')
  const before = readFileSync(blocked)
  rmSync(blocked)
  mkdirSync(join(blocked, 'in the way'), { recursive: true })
  expect(await codeOf(other.ui.data.takeAccountFile({ id }))).not.toBe('done')
  rmSync(blocked, { recursive: true })
  writeFileSync(blocked, before)
  await world.rest()
  expect(other.replica.get('drafts', world.cid)).toBeUndefined()
  expect(stored()).toEqual([])
  expect(other.replica.get('settings', 'self')?.theme).toBe(DEFAULT_SETTINGS.theme)
  await other.ui.data.takeAccountFile({ id })
  await world.rest()
  expect(stored()).toEqual(['unsent'])
})

test('no token, key or password of the account is in the file, and its passphrase opens nothing else', async () => {
  const one = await aComputer('ola')
  await one.ui.settings.setProxyPassword({ password: 'proxy-secret' })
  await one.ui.settings.update({ proxyUser: 'proxy-user', theme: 'dark' })
  const file = await one.save()
  const content = (await unseal(file, PASSPHRASE)).toString()
  expect(content).toContain('"theme":"dark"')
  for (const secret of [await tokenOf({ user_id: 'ola' }), SIM_KEY, 'proxy-secret', 'proxy-user'])
    expect(content).not.toContain(secret)
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
})
