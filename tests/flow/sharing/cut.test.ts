import { afterEach, describe, expect, test, vi } from 'vitest'
import type { SharingState } from '#shared/domain/sharing.ts'
import { CALL, newcomer, owner, type Device, type Owner } from './devices.ts'

/** The server of a shared workspace is ended with SIGKILL, or the one who joins is, at each step of joining. */

const PATIENCE_MS = 40_000
const devices: (Device | Owner)[] = []
afterEach(async () => {
  for (const device of devices.splice(0)) await device.dispose()
})

let next = 30_000 + (process.pid % 9_000)

async function shared(approve: boolean): Promise<{ ann: Owner; marek: Device; link: string }> {
  const [ann, marek] = [await owner(['127.0.0.6']), newcomer()]
  devices.push(ann, marek)
  next += 1
  const { invitations } = await ann.calls.start({ approve, port: next, invitation: 'Office' }, CALL)
  return { ann, marek, link: invitations[0]?.link ?? '' }
}

/** The owner's app restarts the server; until then nobody gets through. */
const eventually = <Value>(ask: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(async () => ask(), PATIENCE_MS)

const waitingNow = async (ann: Owner): Promise<SharingState['waiting']> =>
  (await ann.calls.state(undefined, CALL)).waiting

async function decide(ann: Owner, accept: boolean): Promise<void> {
  const [first] = await waitingNow(ann)
  await ann.calls.decide({ id: first?.id ?? '', accept }, CALL)
}

describe('the server of the workspace is killed', () => {
  test('after the invitation was made: it still leads in', async () => {
    const { ann, marek, link } = await shared(false)
    ann.kill()
    await eventually(() => marek.joining.look({ text: link }, CALL))

    expect(await marek.joining.join({ name: 'Marek' }, CALL)).toBe('joined')
  })

  test('after somebody looked at it: what they send next reaches the same workspace', async () => {
    const { ann, marek, link } = await shared(false)
    await marek.joining.look({ text: link }, CALL)
    ann.kill()

    expect(await eventually(() => marek.joining.join({ name: 'Marek' }, CALL))).toBe('joined')
    expect((await ann.workspace.people()).filter(({ name }) => name === 'Marek').length).toBe(1)
  })

  test('while somebody waits: they wait on, once, and are let in', async () => {
    const { ann, marek, link } = await shared(true)
    await marek.joining.look({ text: link }, CALL)
    await marek.joining.join({ name: 'Marek' }, CALL)
    ann.kill()
    const after = await eventually(() => marek.joining.answer(undefined, CALL))
    const waiting = await waitingNow(ann)
    await decide(ann, true)

    expect(after).toBe('waiting')
    expect(waiting.map(({ name }) => name)).toEqual(['Marek'])
    expect(await marek.joining.answer(undefined, CALL)).toBe('joined')
  })

  test.each([
    [true, 'joined'],
    [false, 'refused'],
  ] as const)('after the owner answered, before it was heard: the answer stays (%s)', async (accept, state) => {
    const { ann, marek, link } = await shared(true)
    await marek.joining.look({ text: link }, CALL)
    await marek.joining.join({ name: 'Marek' }, CALL)
    await decide(ann, accept)
    ann.kill()

    expect(await eventually(() => marek.joining.answer(undefined, CALL))).toBe(state)
    expect((await ann.workspace.people()).filter(({ name }) => name === 'Marek').length).toBe(accept ? 1 : 0)
  })

  test('after sharing was stopped: it stays closed', async () => {
    const { ann, marek, link } = await shared(true)
    await ann.calls.stop(undefined, CALL)
    ann.kill()
    const state = await eventually(() => ann.calls.state(undefined, CALL))

    expect(state).toMatchObject({ on: false, wanted: false })
    await expect(Promise.resolve(marek.joining.look({ text: link }, CALL))).rejects.toThrow('join/unreachable')
  })
})

describe('the one who joins is ended', () => {
  test('while they wait: the next start knows the request, and gets its answer', async () => {
    const { ann, marek, link } = await shared(true)
    await marek.joining.look({ text: link }, CALL)
    await marek.joining.join({ name: 'Marek' }, CALL)
    const later = marek.startAgain()
    const pending = await later.pending(undefined, CALL)
    await decide(ann, true)

    expect(pending).toMatchObject({ workspace: 'Cairn Maps', name: 'Marek' })
    expect(await later.answer(undefined, CALL)).toBe('joined')
    expect(marek.signedIn.length).toBe(1)
  })

  test('before they have asked: nothing waits, here or there', async () => {
    const { ann, marek, link } = await shared(true)
    await marek.joining.look({ text: link }, CALL)
    const later = marek.startAgain()

    expect(await later.pending(undefined, CALL)).toBeUndefined()
    expect(await waitingNow(ann)).toEqual([])
  })
})
