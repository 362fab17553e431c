import { afterEach, describe, expect, test, vi } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import type { Policies } from '#shared/domain/desktop/policies.ts'
import { readInvitation } from '#shared/rules/server/invitation.ts'
import { Air } from './air.ts'
import { CALL, newcomer, owner, type Device, type Owner } from './devices.ts'
import { hostileHost } from './hostile-host.ts'

/** Shared workspaces that are announced on the network, and devices that look for them. */

const open: { dispose(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.dispose()
})

let next = 50_000 + (process.pid % 10_000)

async function sharing(air: Air, addresses = ['127.0.0.2']): Promise<{ ann: Owner; link: string }> {
  const ann = await owner(addresses, {}, air)
  open.push(ann)
  next += 1
  const { invitations } = await ann.calls.start({ approve: false, port: next, invitation: 'Office' }, CALL)
  return { ann, link: invitations[0]?.link ?? '' }
}

function someone(air: Air, policies: Policies = {}): Device {
  const device = newcomer(policies, air)
  open.push(device)
  return device
}

const fingerprintIn = (link: string): string => {
  const invitation = readInvitation(link)
  return typeof invitation === 'string' ? '' : (invitation.fingerprint ?? '')
}

const reasonOf = (call: unknown): Promise<string> =>
  Promise.resolve(call).then(
    () => 'none',
    (error: unknown) => (error instanceof AppError ? error.code : 'unknown'),
  )
const foundBy = async ({ joining }: Device) => joining.nearby(undefined, CALL)

describe('a shared workspace', () => {
  test('is announced only once its owner wants that, and not after sharing has stopped', async () => {
    const air = new Air()
    const { ann } = await sharing(air)
    const before = [...air.announced]
    const shown = await ann.calls.announce({ on: true }, CALL)
    const during = [...air.announced]
    const stopped = await ann.calls.stop(undefined, CALL)

    expect(before).toEqual([])
    expect(shown.announced).toBe('yes')
    expect(during).toMatchObject([{ name: 'Cairn Maps', owner: 'Ann', addresses: ['127.0.0.2'], port: shown.port }])
    expect(stopped.on).toBe(false)
    expect([...air.announced]).toEqual([])
  })

  test('is not announced when the choice is made while it is not shared, and is once it is shared again', async () => {
    const air = new Air()
    const ann = await owner(['127.0.0.2'], {}, air)
    open.push(ann)
    await ann.calls.announce({ on: true }, CALL)
    const early = [...air.announced]
    next += 1
    const started = await ann.calls.start({ approve: true, port: next, invitation: 'Office' }, CALL)

    expect(early).toEqual([])
    expect(started.announced).toBe('yes')
    expect(air.announced.size).toBe(1)
  })

  test('is hidden at once when its owner no longer wants it, and stays shared', async () => {
    const air = new Air()
    const { ann, link } = await sharing(air)
    await ann.calls.announce({ on: true }, CALL)
    const state = await ann.calls.announce({ on: false }, CALL)
    const marek = someone(air)

    expect(state).toMatchObject({ on: true, announced: 'no' })
    expect([...air.announced]).toEqual([])
    expect(await marek.joining.look({ text: link }, CALL)).toMatchObject({ workspace: 'Cairn Maps' })
  })

  test('is withdrawn while its server is down, and announced again with it', async () => {
    const air = new Air()
    const { ann } = await sharing(air)
    await ann.calls.announce({ on: true }, CALL)
    ann.kill()
    await vi.waitFor(() => expect(air.announced.size).toBe(0), 20_000)
    await vi.waitFor(() => expect(air.announced.size).toBe(1), 40_000)
  })

  test('is announced at its new address when the device gets one', async () => {
    const air = new Air()
    const { ann } = await sharing(air)
    await ann.calls.announce({ on: true }, CALL)
    ann.move(['127.0.0.3'])
    await ann.network.networkChanged()

    expect([...air.announced].map(({ addresses }) => addresses)).toEqual([['127.0.0.3']])
  })

  test('says that the system does not let it be announced', async () => {
    const air = new Air()
    air.isRefused = true
    const { ann } = await sharing(air)

    expect(await ann.calls.announce({ on: true }, CALL)).toMatchObject({ on: true, announced: 'failed' })
  })
})

describe('someone who looks around', () => {
  test('finds it, and still joins with the invitation alone', async () => {
    const air = new Air()
    const { ann, link } = await sharing(air)
    await ann.calls.announce({ on: true }, CALL)
    const marek = someone(air)
    const quiet = air.listening
    await foundBy(marek)
    const { found } = await foundBy(marek)

    expect(quiet).toBe(0)
    expect(found).toEqual([
      { id: fingerprintIn(link), name: 'Cairn Maps', owner: 'Ann', address: '127.0.0.2', known: false },
    ])
    expect(await reasonOf(marek.joining.reopen({ id: found[0]?.id ?? '' }, CALL))).toBe('join/unreachable')
    expect(await reasonOf(marek.joining.join({ name: 'Marek' }, CALL))).toBe('join/nothing')
  })

  test('reaches it with a link that has an older address', async () => {
    const air = new Air()
    const { ann, link } = await sharing(air)
    await ann.calls.announce({ on: true }, CALL)
    ann.move(['127.0.0.3'])
    await ann.network.networkChanged()
    const marek = someone(air)
    const before = await reasonOf(marek.joining.look({ text: link }, CALL))
    await foundBy(marek)

    expect(before).toBe('join/unreachable')
    expect(await marek.joining.look({ text: link }, CALL)).toMatchObject({ workspace: 'Cairn Maps' })
    expect(await marek.joining.join({ name: 'Marek' }, CALL)).toBe('joined')
    expect(marek.signedIn[0]?.ref).toHaveProperty('url', expect.stringContaining('127.0.0.3'))
  })

  test('is led nowhere by a device that says it has the certificate of the link', async () => {
    const air = new Air()
    const { ann, link } = await sharing(air)
    await ann.calls.stop(undefined, CALL)
    const eve = await hostileHost({})
    open.push(eve)
    const marek = someone(air)
    await foundBy(marek)
    const said = { name: 'Cairn Maps', owner: 'Ann', addresses: ['127.0.0.7'], port: eve.port }
    air.say({ from: '127.0.0.7', said: { ...said, fingerprint: fingerprintIn(link) }, gone: false })

    expect(await reasonOf(marek.joining.look({ text: link }, CALL))).toBe('join/certificate')
    expect(eve.asked).toEqual([])
  })

  test('opens a workspace that they have joined at its new address, without another invitation', async () => {
    const air = new Air()
    const { ann, link } = await sharing(air)
    await ann.calls.announce({ on: true }, CALL)
    const marek = someone(air)
    await marek.joining.look({ text: link }, CALL)
    await marek.joining.join({ name: 'Marek' }, CALL)
    ann.move(['127.0.0.3'])
    await ann.network.networkChanged()
    const { found } = await foundBy(marek)
    await marek.joining.reopen({ id: found[0]?.id ?? '' }, CALL)

    expect(found).toMatchObject([{ address: '127.0.0.3', known: true }])
    expect(marek.signedIn[1]?.ref).toMatchObject({ userId: marek.signedIn[0]?.ref.userId })
    expect(marek.signedIn[1]?.ref).toHaveProperty('url', expect.stringContaining('127.0.0.3'))
  })

  test('sends no token to a device that says it is a workspace they have joined', async () => {
    const air = new Air()
    const { ann, link } = await sharing(air)
    const marek = someone(air)
    await marek.joining.look({ text: link }, CALL)
    await marek.joining.join({ name: 'Marek' }, CALL)
    await ann.calls.stop(undefined, CALL)
    const eve = await hostileHost({})
    open.push(eve)
    await foundBy(marek)
    const said = { name: 'Cairn Maps', owner: 'Ann', addresses: ['127.0.0.7'], port: eve.port }
    air.say({ from: '127.0.0.7', said: { ...said, fingerprint: fingerprintIn(link) }, gone: false })

    expect(await reasonOf(marek.joining.reopen({ id: fingerprintIn(link) }, CALL))).toBe('join/certificate')
    expect(eve.asked).toEqual([])
    expect(marek.signedIn.length).toBe(1)
  })

  test.each([
    ['policy/sharing', { AllowLanExposure: false }],
    ['policy/server', { LockServerList: true }],
  ])('is stopped by the administrator: %s', async (code, policies) => {
    const air = new Air()
    const marek = someone(air, policies)

    expect(await reasonOf(Promise.resolve().then(() => foundBy(marek)))).toBe(code)
    expect(await reasonOf(marek.joining.reopen({ id: 'x' }, CALL))).toBe(code)
    expect(air.listening).toBe(0)
  })
})
