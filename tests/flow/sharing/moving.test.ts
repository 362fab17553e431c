import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { accountKey, trusting } from '#main/app/accounts/account.ts'
import { Following } from '#main/app/accounts/following.ts'
import { accepts } from '#main/app/accounts/hosted.ts'
import { readCredential } from '#main/app/accounts/credential.ts'
import { createCertificate } from '#main/app/local-workspace/local-workspace.ts'
import { runFileTask } from '#main/app/local-workspace/moving.ts'
import { readNote, signNote } from '#main/server/sharing/moved-note.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { queryChannel } from '#shared/wire/channels.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { cheapKeys } from './cheap-keys.ts'
import { computerOfAnn, newComputer, type Computer } from './computers.ts'
import { CALL, newcomer, type Device } from './devices.ts'

/** A workspace that moves between two computers, each with a server process of its own, and people who follow it. */

const PASSPHRASE = 'seven lamps in a row'
const used: (Computer | Device)[] = []
beforeAll(() => cheapKeys())
afterEach(async () => {
  for (const each of used.splice(0)) await each.dispose()
})

async function annsComputer(): Promise<Computer> {
  const computer = await computerOfAnn('127.0.0.2')
  used.push(computer)
  return computer
}

function anotherComputer(): Computer {
  const computer = newComputer('127.0.0.4')
  used.push(computer)
  return computer
}

let next = 40_000 + (process.pid % 10_000)
const freePort = (): number => next++

/** Somebody who has joined a workspace that is shared now. */
async function joined(computer: Computer): Promise<Device> {
  const { invitations } = await computer.sharing.start(
    { approve: false, port: freePort(), invitation: 'Office' },
    computer.call,
  )
  const marek = newcomer()
  used.push(marek)
  await marek.joining.look({ text: invitations[0]?.link ?? '' }, CALL)
  await marek.joining.join({ name: 'Marek' }, CALL)
  return marek
}

async function write(computer: Computer, text: string, place?: string): Promise<void> {
  const api = await computer.workspace(place).userApi('ann')
  await api.send(sendMessage, { params: { type: 'team', id: 'general' }, body: { message: { id: text, text } } })
}

async function textsOf(computer: Computer, place?: string): Promise<readonly string[]> {
  const api = await computer.workspace(place).userApi('ann')
  const { messages } = await api.send(queryChannel, {
    params: { type: 'team', id: 'general' },
    body: { messages: { limit: 10 } },
  })
  return (messages ?? []).map(({ text }) => text ?? '')
}

/** Saves the workspace of a computer, and puts it aside there. */
async function movedFrom(computer: Computer, passphrase?: string): Promise<string> {
  const { saved } = await computer.moving.save({ passphrase }, computer.call)
  await computer.moving.finish(undefined, computer.call)
  return join(computer.data, saved?.fileName ?? '')
}

async function openedOn(
  computer: Computer,
  file: string,
  { passphrase, share = false }: Opening = {},
): Promise<boolean> {
  const id = await computer.receive(file)
  await computer.moving.look({ id, passphrase }, computer.call)
  return computer.moving.open({ id, share }, computer.call)
}
type Opening = { readonly passphrase?: string; readonly share?: boolean }

const reasonOf = (call: unknown): Promise<string> =>
  Promise.resolve(call).then(
    () => 'none',
    (error: unknown) => (error instanceof AppError ? error.code : 'unknown'),
  )

type HostedRef = Extract<AccountRef, { kind: 'hosted' }>

/** Asks once where the workspace of somebody is; the account as it is afterwards. */
async function followed(device: Device): Promise<HostedRef | undefined> {
  const [{ ref, credential = '' } = { ref: undefined, credential: '' }] = device.signedIn
  let moved: HostedRef | undefined
  const following = new Following({
    host: device.host,
    isAccepted: (each) => accepts(trusting(each, device.host), each, readCredential(credential)),
    moveTo: (each) => Promise.resolve(void (moved = each)),
  })
  await following.follow(ref as HostedRef)
  return moved
}

const told = (computer: Computer, place = 'own'): Promise<boolean> =>
  computer.host.secrets.get(`workspace/${place}/came`).then((text) => text?.includes('"told"') === true)

describe('a workspace that moves to another computer', () => {
  test('is there with what was written, and whoever opens the file is its owner', async () => {
    const before = await annsComputer()
    await write(before, 'message-of-monday')
    const file = await movedFrom(before, PASSPHRASE)
    const after = anotherComputer()
    const id = await after.receive(file)
    const look = await after.moving.look({ id, passphrase: PASSPHRASE }, after.call)
    const isOpen = await after.moving.open({ id, share: false }, after.call)

    expect(look).toMatchObject({ name: 'Cairn Maps', ownerName: 'Ann', keys: true, shared: false })
    expect(isOpen).toBe(true)
    expect(after.shown()).toEqual({ kind: 'own', userId: 'ann', name: 'Cairn Maps' })
    expect(await textsOf(after)).toEqual(['message-of-monday'])
    expect(before.shown()).toBeUndefined()
    expect(readdirSync(join(after.data, 'workspaces', 'incoming'))).toEqual([])
  })

  test('is put aside where it was, also if Parlor ends before it is told so, and can be taken back', async () => {
    const before = await annsComputer()
    await write(before, 'message-of-monday')
    await before.moving.save({}, before.call)
    await before.startAgain()
    const aside = before.store.profile().workspaces['own']

    expect(before.shown()).toBeUndefined()
    expect(aside?.moved).toBeGreaterThan(0)
    expect(await textsOf(before)).toEqual(['message-of-monday'])
  })

  test('keeps its server stopped while it is written, and running when that fails or is canceled', async () => {
    const before = await annsComputer()
    const missing = { ...before.host.folders, placeFor: () => Promise.resolve(join(before.data, 'gone', 'file')) }
    Object.assign(before.host, { folders: missing })
    const failed = await reasonOf(before.moving.save({}, before.call))
    Object.assign(before.host, { folders: { placeFor: () => Promise.resolve(join(before.data, 'file')) } })
    const saving = before.moving.save({ passphrase: PASSPHRASE }, before.call)
    await vi.waitFor(() => expect(before.workspace().health()).toBe('stopped'))
    await before.moving.cancel(undefined, before.call)
    const canceled = await saving
    await before.workspace().running()

    expect(failed).toBe('data/folder-gone')
    expect(canceled).toEqual({})
    expect(before.store.profile().workspaces['own']?.moved).toBeUndefined()
    expect(before.shown()).toBeDefined()
    expect(readdirSync(before.data).filter((name) => name.startsWith('file'))).toEqual([])
  })

  test('asks for the passphrase of its file, and takes nothing with another one', async () => {
    const file = await movedFrom(await annsComputer(), PASSPHRASE)
    const after = anotherComputer()
    const id = await after.receive(file)

    expect(await reasonOf(after.moving.look({ id }, after.call))).toBe('workspace-file/sealed')
    expect(await reasonOf(after.moving.look({ id, passphrase: 'nine lamps' }, after.call))).toBe(
      'workspace-file/passphrase',
    )
    expect(await reasonOf(after.moving.open({ id, share: false }, after.call))).toBe('moving/closed')
  })

  test('is refused as a whole when its file is damaged behind its beginning', async () => {
    const file = await movedFrom(await annsComputer())
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.subarray(0, bytes.length - 50_000))
    const after = anotherComputer()

    expect(await reasonOf(openedOn(after, file))).toBe('workspace-file/damaged')
    expect(after.shown()).toBeUndefined()
    expect(existsSync(join(after.data, 'workspaces', 'own'))).toBe(false)
  })

  test('is not opened twice on one computer, but comes back to the one that it left', async () => {
    const before = await annsComputer()
    const first = await movedFrom(before, PASSPHRASE)
    const after = anotherComputer()
    await openedOn(after, first, { passphrase: PASSPHRASE })
    await write(after, 'message-of-tuesday')
    const again = await reasonOf(openedOn(after, first, { passphrase: PASSPHRASE }))
    const second = await movedFrom(after, PASSPHRASE)
    await openedOn(before, second, { passphrase: PASSPHRASE })

    expect(again).toBe('workspace-file/exists')
    expect(before.shown()?.place).toMatch(/^own-/)
    expect(await textsOf(before, before.shown()?.place)).toEqual(['message-of-tuesday'])
  })
})

test('a workspace whose database is damaged is not saved, and the reason is said', async () => {
  const before = await annsComputer()
  const { folder } = before.workspace()
  await before.workspace().stop()
  const path = join(folder, 'server.db')
  writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, 100), Buffer.alloc(8_192, 7)]))
  const { host, data } = before
  const held = {
    args: ['pack', join(data, 'file'), '--data', folder],
    signal: new AbortController().signal,
  }

  expect(await reasonOf(runFileTask(host, held))).toBe('workspace-file/unsound')
  expect(existsSync(join(data, 'file'))).toBe(false)
})

describe('people who have joined it', () => {
  test('follow to the new address and certificate, with the same account', async () => {
    const before = await annsComputer()
    const marek = await joined(before)
    const file = await movedFrom(before, PASSPHRASE)
    const early = await followed(marek)
    const after = anotherComputer()
    await openedOn(after, file, { passphrase: PASSPHRASE, share: true })
    await vi.waitFor(async () => expect(await told(after)).toBe(true), 20_000)
    const moved = await followed(marek)

    expect(early).toBeUndefined()
    expect(moved?.url).toMatch(/^https:\/\/127\.0\.0\.4:/)
    expect(moved?.trusts).toContain('BEGIN CERTIFICATE')
    const [{ ref } = { ref: undefined }] = marek.signedIn
    expect(moved && ref && accountKey(moved) === accountKey(ref)).toBe(true)
  })

  test('follow later too, after the old computer was started again', async () => {
    const before = await annsComputer()
    const marek = await joined(before)
    const after = anotherComputer()
    await openedOn(after, await movedFrom(before, PASSPHRASE), { passphrase: PASSPHRASE, share: true })
    await vi.waitFor(async () => expect(await told(after)).toBe(true), 20_000)
    await before.startAgain()

    await vi.waitFor(async () => expect((await followed(marek))?.url).toContain('127.0.0.4'), 20_000)
  })

  test('follow a workspace that moved twice, the second time to a device whose port was taken', async () => {
    const before = await annsComputer()
    const marek = await joined(before)
    const after = anotherComputer()
    const opening = { passphrase: PASSPHRASE, share: true }
    await openedOn(after, await movedFrom(before, PASSPHRASE), opening)
    await vi.waitFor(async () => expect(await told(after)).toBe(true), 20_000)
    await openedOn(before, await movedFrom(after, PASSPHRASE), opening)
    const place = before.shown()?.place ?? ''
    await vi.waitFor(async () => expect(await told(before, place)).toBe(true), 20_000)
    const { own, [place]: back } = before.store.profile().sharing

    expect(back?.port).toBe((own?.port ?? 0) + 1)
    expect((await followed(marek))?.url).toBe(`https://127.0.0.2:${back?.port}`)
  })

  test('stay where they are when the file had no passphrase, because the new server does not know them', async () => {
    const before = await annsComputer()
    const marek = await joined(before)
    const after = anotherComputer()
    await openedOn(after, await movedFrom(before), { share: true })

    expect(await followed(marek)).toBeUndefined()
    expect(after.store.profile().sharing).toEqual({})
    expect(before.store.profile().sharing).toEqual({})
  })

  test('cannot write into the copy that stayed', async () => {
    const before = await annsComputer()
    const marek = await joined(before)
    await movedFrom(before, PASSPHRASE)
    const [{ ref, credential = '' } = { ref: undefined }] = marek.signedIn
    const isAccepted = (): Promise<boolean> =>
      accepts(trusting(ref as HostedRef, marek.host), ref as HostedRef, readCredential(credential))
    const { http } = trusting(ref as HostedRef, marek.host).ports
    const ask = () =>
      http.request({
        method: 'POST',
        url: `${(ref as HostedRef).url}/channels`,
        headers: {},
        body: '{}',
        timeoutMs: 2_000,
      })

    await vi.waitFor(async () => expect((await ask()).status).toBe(404), 20_000)
    expect(await isAccepted()).toBe(false)
  })
})

test('a note that another certificate signed, or that was changed, is none', async () => {
  const [own, other] = [await createCertificate(Date.now()), await createCertificate(Date.now())]
  const note = { addresses: ['127.0.0.4'], port: 7_443, certificate: other.cert }
  const signed = signNote(note, own.key)

  expect(readNote(signed, own.cert)).toEqual(note)
  expect(readNote(signNote(note, other.key), own.cert)).toBeUndefined()
  expect(readNote({ ...signed, note: signed.note.replace('7443', '7444') }, own.cert)).toBeUndefined()
  expect(readNote(signNote({ ...note, addresses: ['evil.example'] }, own.key), own.cert)).toBeUndefined()
})
