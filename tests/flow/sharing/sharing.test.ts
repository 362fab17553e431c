import { createServer, type Server } from 'node:tls'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { CALL, newcomer, OTHER_CALL, owner, type Device, type Owner } from './devices.ts'
import { hostileHost } from './hostile-host.ts'
import { createCertificate } from '#main/app/local-workspace/local-workspace.ts'
import { invitationLink, readInvitation } from '#shared/rules/server/invitation.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { SharingState } from '#shared/domain/sharing.ts'
import { updateUsersPartial } from '#shared/wire/users.ts'

/** Sharing and joining over real processes and sockets, on two addresses of loopback. */

const devices: (Device | Owner)[] = []
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) server.close()
  for (const device of devices.splice(0)) await device.dispose()
})

async function sharing(options: { approve?: boolean } = {}): Promise<{ ann: Owner; state: SharingState }> {
  const ann = await owner()
  devices.push(ann)
  const state = await started(ann, options)
  return { ann, state }
}

const started = (ann: Owner, { approve = false, port }: { approve?: boolean; port?: number } = {}) =>
  ann.calls.start({ approve, port: port ?? freePort(), invitation: 'Office' }, CALL)

let next = 20_000 + (process.pid % 20_000)
const freePort = (): number => next++

function someone(): Device {
  const device = newcomer()
  devices.push(device)
  return device
}

const linkOf = ({ invitations }: SharingState): string => invitations[0]?.link ?? ''
const codeOf = ({ invitations }: SharingState): string => invitations[0]?.code ?? ''

/** What the rejected call says. */
const reasonOf = (call: unknown): Promise<string> =>
  Promise.resolve(call).then(
    () => 'none',
    (error: unknown) => (error instanceof AppError ? error.code : 'unknown'),
  )

/** A device that answers at an address with a certificate of its own. */
async function stranger(address: string): Promise<{ port: number; cert: string }> {
  const { cert, key } = await createCertificate(Date.now())
  const server = createServer({ cert, key }, (socket) => socket.on('error', () => undefined))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  return { port: (server.address() as AddressInfo).port, cert }
}

describe('a workspace shared on the network', () => {
  test.each(['link', 'code'] as const)('is joined by %s, with the certificate pinned and a token', async (way) => {
    const { state } = await sharing()
    const marek = someone()
    const offer = await marek.joining.look({ text: way === 'link' ? linkOf(state) : codeOf(state) }, CALL)
    const joined = await marek.joining.join({ name: 'Marek' }, CALL)

    expect(offer).toEqual({ workspace: 'Cairn Maps', owner: 'Ann', role: 'user', approve: false, known: false })
    expect(joined).toBe('joined')
    expect(marek.signedIn).toMatchObject([{ name: 'Cairn Maps', ref: { kind: 'hosted' } }])
    expect(marek.signedIn[0]?.ref).toHaveProperty('certificate', expect.stringContaining('BEGIN CERTIFICATE'))
  })

  test('is joined at an address of IPv6, with the certificate pinned; there is no code to type', async () => {
    const ann = await owner(['::1'])
    devices.push(ann)
    const state = await started(ann)
    const marek = someone()
    const offer = await marek.joining.look({ text: linkOf(state) }, CALL)
    const joined = await marek.joining.join({ name: 'Marek' }, CALL)
    const again = await marek.joining.look({ text: linkOf(state) }, CALL)

    expect(linkOf(state)).toContain(`://join/[::1]:${state.port}/`)
    expect(state.invitations[0]?.code).toBeUndefined()
    expect(offer.workspace).toBe('Cairn Maps')
    expect(joined).toBe('joined')
    expect(marek.signedIn[0]?.ref).toMatchObject({ url: `https://[::1]:${state.port}` })
    // Its server accepts the account there.
    expect(again.known).toBe(true)
  })

  test('shows the owner who waits, and signs them in once accepted', async () => {
    const { ann, state } = await sharing({ approve: true })
    const marek = someone()
    await marek.joining.look({ text: linkOf(state) }, CALL)
    const asked = await marek.joining.join({ name: 'Marek' }, CALL)
    const { waiting } = await ann.calls.state(undefined, CALL)
    const before = await marek.joining.answer(undefined, CALL)
    const pending = await marek.joining.pending(undefined, CALL)
    await ann.calls.decide({ id: waiting[0]?.id ?? '', accept: true }, CALL)
    const after = await marek.joining.answer(undefined, CALL)

    expect(asked).toBe('waiting')
    expect(before).toBe('waiting')
    expect(after).toBe('joined')
    expect(pending).toMatchObject({ workspace: 'Cairn Maps', owner: 'Ann', name: 'Marek' })
    expect(waiting).toMatchObject([{ name: 'Marek', invitation: 'Office', role: 'user' }])
    expect(ann.told.length).toBeGreaterThan(0)
    expect(await marek.joining.pending(undefined, CALL)).toBeUndefined()
  })

  test('signs in who was accepted while no window waited, and the window that comes back finds them in', async () => {
    const { ann, state } = await sharing({ approve: true })
    const marek = someone()
    await marek.joining.look({ text: linkOf(state) }, CALL)
    await marek.joining.join({ name: 'Marek' }, CALL)
    const before = await marek.check()
    const { waiting } = await ann.calls.state(undefined, CALL)
    await ann.calls.decide({ id: waiting[0]?.id ?? '', accept: true }, CALL)
    const after = await marek.check()

    expect(before).toMatchObject({ state: 'waiting', pending: { workspace: 'Cairn Maps', owner: 'Ann' } })
    expect(after).toMatchObject({ state: 'joined', pending: { owner: 'Ann' }, ref: { kind: 'hosted' } })
    expect(marek.signedIn.length).toBe(1)
    expect(await marek.check()).toEqual({ state: 'gone' })
    expect(await marek.joining.answer(undefined, CALL)).toBe('joined')
    expect(new Set(marek.signedIn.map(({ ref }) => ref.userId)).size).toBe(1)
  })

  test('leaves a refusal for the window that shows it', async () => {
    const { ann, state } = await sharing({ approve: true })
    const marek = someone()
    await marek.joining.look({ text: linkOf(state) }, CALL)
    await marek.joining.join({ name: 'Marek' }, CALL)
    const { waiting } = await ann.calls.state(undefined, CALL)
    await ann.calls.decide({ id: waiting[0]?.id ?? '', accept: false }, CALL)

    expect(await marek.check()).toMatchObject({ state: 'refused', pending: { name: 'Marek' } })
    expect(await marek.joining.answer(undefined, CALL)).toBe('refused')
    expect(await marek.check()).toEqual({ state: 'gone' })
  })

  test('is not asked by main while a window asks', async () => {
    const { ann, state } = await sharing({ approve: true })
    const marek = someone()
    await marek.joining.look({ text: linkOf(state) }, CALL)
    await marek.joining.join({ name: 'Marek' }, CALL)
    await marek.joining.answer(undefined, CALL)
    const { waiting } = await ann.calls.state(undefined, CALL)
    await ann.calls.decide({ id: waiting[0]?.id ?? '', accept: true }, CALL)

    expect(await marek.check()).toMatchObject({ state: 'waiting' })
    expect(await marek.joining.answer(undefined, CALL)).toBe('joined')
  })

  test('tells those who are refused, and forgets those who cancel', async () => {
    const { ann, state } = await sharing({ approve: true })
    const [eve, bob] = [someone(), someone()]
    for (const [device, name] of [
      [eve, 'Eve'],
      [bob, 'Bob'],
    ] as const) {
      await device.joining.look({ text: codeOf(state) }, CALL)
      await device.joining.join({ name }, CALL)
    }
    await bob.joining.cancel(undefined, CALL)
    const { waiting } = await ann.calls.state(undefined, CALL)
    await ann.calls.decide({ id: waiting[0]?.id ?? '', accept: false }, CALL)

    expect(waiting.map(({ name }) => name)).toEqual(['Eve'])
    expect(await eve.joining.answer(undefined, CALL)).toBe('refused')
    expect(eve.signedIn).toEqual([])
  })

  test('is open again on the same port after its server was killed, and closed for good after it was stopped', async () => {
    const { ann, state } = await sharing()
    ann.kill()
    const marek = someone()
    const offer = await vi.waitFor(() => marek.joining.look({ text: linkOf(state) }, CALL), 40_000)
    await ann.calls.stop(undefined, CALL)
    await ann.workspace.stop()
    await ann.workspace.running()
    await ann.network.serverRuns('own')
    const after = await ann.calls.state(undefined, CALL)

    expect(offer.workspace).toBe('Cairn Maps')
    expect(after).toMatchObject({ on: false, wanted: false, invitations: [{ revoked: true }] })
    expect(await reasonOf(marek.joining.look({ text: linkOf(state) }, CALL))).toBe('join/unreachable')
  })

  test('follows the device to another address, where a new invitation renews the account instead of doubling it', async () => {
    const { ann, state } = await sharing()
    const marek = someone()
    await marek.joining.look({ text: linkOf(state) }, CALL)
    await marek.joining.join({ name: 'Marek' }, CALL)
    ann.move(['127.0.0.3'])
    await ann.network.networkChanged()
    const moved = await ann.calls.invite(
      { name: 'New', role: 'user', channels: [], uses: 1, endsAt: Date.now() + 60_000 },
      CALL,
    )
    const link = moved.invitations.find(({ name }) => name === 'New')?.link ?? ''
    const offer = await marek.joining.look({ text: link }, CALL)
    await marek.joining.join({ name: 'Marek' }, CALL)

    expect(moved.addresses).toEqual(['127.0.0.3'])
    expect(offer.known).toBe(true)
    expect(marek.signedIn[1]?.ref).toEqual({
      ...marek.signedIn[0]?.ref,
      url: `https://127.0.0.3:${moved.port}`,
    })
    expect((await ann.workspace.people()).map(({ name }) => name).toSorted()).toEqual(['Ann', 'Marek'])
  })

  test('shows a link and a code that lead to where the device is now', async () => {
    const { ann } = await sharing()
    ann.move(['127.0.0.3'])
    await ann.network.networkChanged()
    const moved = await ann.calls.state(undefined, CALL)
    const [byLink, byCode] = [someone(), someone()]

    expect((await byLink.joining.look({ text: linkOf(moved) }, CALL)).workspace).toBe('Cairn Maps')
    expect((await byCode.joining.look({ text: codeOf(moved) }, CALL)).workspace).toBe('Cairn Maps')
  })

  test('shows no link while nothing listens', async () => {
    const { ann } = await sharing()
    const { invitations } = await ann.calls.stop(undefined, CALL)

    expect(invitations.map(({ link, code }) => [link, code])).toEqual([[undefined, undefined]])
  })

  test('stays closed when it is stopped while its server opens it again', async () => {
    const { ann } = await sharing()
    await Promise.all([ann.network.serverRuns('own'), ann.calls.stop(undefined, CALL)])

    expect(await ann.calls.state(undefined, CALL)).toMatchObject({ on: false, wanted: false })
  })

  test('takes someone back whom its owner has signed out, by a new invitation, as who they are now', async () => {
    const { ann, state } = await sharing()
    const marek = someone()
    await marek.joining.look({ text: linkOf(state) }, CALL)
    await marek.joining.join({ name: 'Marek' }, CALL)
    await signOutEverywhere(ann, marek.signedIn[0]?.ref.userId ?? '')
    const offer = await marek.joining.look({ text: linkOf(state) }, CALL)
    const joined = await marek.joining.join({ name: 'Marek D' }, CALL)
    const again = await marek.joining.look({ text: linkOf(state) }, CALL)

    expect(offer.known).toBe(false)
    expect(joined).toBe('joined')
    expect(new Set(marek.signedIn.map(({ ref }) => ref.userId)).size).toBe(2)
    expect(again.known).toBe(true)
  })

  test('waits for nothing once the host has refused the request', async () => {
    const { ann, state } = await sharing({ approve: true })
    const marek = someone()
    await marek.joining.look({ text: linkOf(state) }, CALL)
    await ann.calls.revoke({ id: state.invitations[0]?.id ?? '' }, CALL)
    const reason = await reasonOf(marek.joining.join({ name: 'Marek' }, CALL))

    expect(reason).toBe('join/ended')
    expect(await marek.joining.pending(undefined, CALL)).toBeUndefined()
  })

  test('refuses a name that somebody has where nobody approves, and keeps nothing of it', async () => {
    const { state } = await sharing()
    const eve = someone()
    await eve.joining.look({ text: linkOf(state) }, CALL)
    const reason = await reasonOf(eve.joining.join({ name: 'ann' }, CALL))

    expect(reason).toBe('join/name')
    expect(await eve.joining.pending(undefined, CALL)).toBeUndefined()
    expect(await eve.joining.join({ name: 'Eve' }, CALL)).toBe('joined')
  })

  test('says that the port is taken, that there is no network, and who does not allow it', async () => {
    const { port } = await stranger('127.0.0.2')
    const ann = await owner()
    const forbidden = await owner(['127.0.0.2'], { AllowLanExposure: false })
    devices.push(ann, forbidden)
    const taken = await started(ann, { port })
    ann.move([])
    const alone = await started(ann)
    ann.move(['169.254.7.7', 'fe80::1'])
    const unreachable = await started(ann)

    expect(taken).toMatchObject({ on: false, wanted: true, problem: 'port-taken', port })
    expect(alone).toMatchObject({ on: false, problem: 'no-network' })
    expect(unreachable).toMatchObject({ on: false, problem: 'link-local' })
    expect(await reasonOf(started(forbidden))).toBe('policy/sharing')
  })
})

/** What Manage does for "Sign out everywhere". */
async function signOutEverywhere({ workspace }: Owner, id: string): Promise<void> {
  const set = { revoke_tokens_issued_before: new Date(Date.now() + 1_000).toISOString() }
  await (await workspace.serverApi()).send(updateUsersPartial, { body: { users: [{ id, set }] } })
}

describe('an invitation that leads to another device', () => {
  test('is joined in the window that looked at it, whatever another window looks at', async () => {
    const { state } = await sharing()
    const host = await hostileHost({})
    const marek = someone()
    await marek.joining.look({ text: linkOf(state) }, CALL)
    await marek.joining.look({ text: host.link }, OTHER_CALL)
    await marek.joining.join({ name: 'Marek' }, CALL)
    host.dispose()

    expect(marek.signedIn.map(({ name }) => name)).toEqual(['Cairn Maps'])
    expect(host.asked).toEqual(['/join/hello'])
  })

  test('sends nothing when the certificate of the link does not answer', async () => {
    const { state } = await sharing()
    const { port } = await stranger('127.0.0.9')
    const real = readInvitation(linkOf(state))
    const invitation = { addresses: ['127.0.0.9'], port, secret: 'x'.repeat(22), fingerprint: 'y'.repeat(43) }
    const forged = invitationLink({
      ...invitation,
      ...(typeof real === 'string' ? {} : real),
      addresses: ['127.0.0.9'],
      port,
    })

    expect(await reasonOf(someone().joining.look({ text: forged }, CALL))).toBe('join/certificate')
  })

  test('is refused when the server does not know it', async () => {
    const { state } = await sharing()
    const real = readInvitation(linkOf(state))
    if (typeof real === 'string' || real.fingerprint === undefined) throw new Error('there is no link')
    const guessed = invitationLink({ ...real, fingerprint: real.fingerprint, secret: 'a'.repeat(22) })

    expect(await reasonOf(someone().joining.look({ text: guessed }, CALL))).toBe('join/wrong')
  })

  test.each([
    ['hello', 'join/unknown'],
    ['7KQ4-M2XD-9TRC-0A5F-W3ZE', 'join/mistyped'],
    ['parlor://join/192.168.1.24:7443/short.secret', 'join/unknown'],
    ['https://example.org', 'join/unknown'],
    [`parlor://join/[fe80::1]:7443/${'f'.repeat(43)}.${'s'.repeat(22)}`, 'join/link-local'],
  ])('says what is wrong with "%s" before it asks the network', async (text, reason) => {
    expect(await reasonOf(someone().joining.look({ text }, CALL))).toBe(reason)
  })

  test('is not followed where only listed servers are allowed', async () => {
    const device = newcomer({ LockServerList: true })
    devices.push(device)

    expect(await reasonOf(device.joining.look({ text: 'anything' }, CALL))).toBe('policy/server')
  })
})
