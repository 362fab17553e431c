import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isInShare, PATIENCE_MS } from '#kit/runs.ts'
import type { SharingState } from '#shared/domain/sharing.ts'
import { hasRooms } from './room.ts'
import { eventually, isWhole, type Limits, must, type Person, Team } from './team.ts'

/**
 * Real addresses of real network cards: IPv6 alone, none, and what the system forbids. The gate takes the first and one of
 * the others, another one from run to run.
 */
const OTHERS = 5

let team: Team
beforeAll(async () => {
  if (hasRooms) team = await Team.gather('crash-addresses', 'fd00:7::1')
}, PATIENCE_MS)
afterAll(() => team?.disperse())

/** Somebody with a workspace of their own. */
async function founder(name: string, addresses: readonly string[], limits: Limits = {}): Promise<Person> {
  const person = await team.visitor(name, addresses, limits)
  await person.computer.call('session.createWorkspace', { name: 'Studio', yourName: name })
  await person.computer.call('app.attach')
  return person
}

const share = ({ computer }: Person): Promise<SharingState> =>
  computer.call('sharing.start', { approve: false, invitation: 'Office' })
const stateOf = ({ computer }: Person): Promise<SharingState> => computer.call('sharing.state')

describe.skipIf(!hasRooms)('a computer', () => {
  test('whose network has only IPv6 is joined there, and both write', { timeout: PATIENCE_MS }, async () => {
    const person = await team.enters('Marek')
    const link = await team.invite()
    await team.join(person, link)
    await eventually(() => must(person.isSettled()))
    const [cid = ''] = team.cids
    await Promise.all([person.write(cid, 5), team.ann.write(cid, 5)])

    expect(link).toContain('://join/[fd00:7::1]:')
    await expect(isWhole(team, person)).resolves.toBeUndefined()
  })

  test.runIf(isInShare(0, OTHERS))(
    'that no network gave an address says so, and shares once one does',
    { timeout: PATIENCE_MS },
    async () => {
      const lena = await founder('Lena', [])
      const alone = await share(lena)
      lena.computer.place.add('192.168.7.60')
      const shared = await eventually(async () => {
        const state = await stateOf(lena)
        await must(state.on)
        return state
      })

      expect(alone).toMatchObject({ on: false, wanted: true, problem: 'link-local' })
      expect(shared.addresses).toEqual(['192.168.7.60'])
      expect(shared.problem).toBeUndefined()
    },
  )

  test.runIf(isInShare(1, OTHERS))(
    'whose cable is out says that it is on no network',
    { timeout: PATIENCE_MS },
    async () => {
      const omar = await founder('Omar', ['192.168.7.61'])
      omar.computer.place.unplug()
      const state = await eventually(async () => {
        const now = await share(omar)
        await must(!now.on)
        return now
      })

      expect(state).toMatchObject({ on: false, wanted: true, problem: 'no-network' })
    },
  )

  test.runIf(isInShare(2, OTHERS))(
    'that does not allow the port says so, and offers another one',
    { timeout: PATIENCE_MS },
    async () => {
      const nina = await founder('Nina', ['192.168.7.62'], { without: ['net_bind_service'] })
      nina.computer.place.reservePortsBelow(8_000)
      const refused = await share(nina)
      const shared = await nina.computer.call<SharingState>('sharing.start', {
        approve: false,
        port: 8_443,
        invitation: 'Office',
      })

      expect(refused).toMatchObject({ on: false, problem: 'port-forbidden', port: 7_443 })
      expect(shared).toMatchObject({ on: true, port: 8_443 })
    },
  )

  test.runIf(isInShare(3, OTHERS))(
    'behind a firewall that drops everything is out of reach, in words',
    { timeout: PATIENCE_MS },
    async () => {
      const person = await team.visitor('Rita', ['fd00:7::77'])
      const link = await team.invite()
      person.computer.place.cut()

      await expect(person.computer.call('sharing.look', { text: link })).rejects.toThrow('join/unreachable')
    },
  )

  test.runIf(isInShare(4, OTHERS))('whose disk is full says so to who joins, and to who shares', async () => {
    const tess = await team.visitor('Tess', ['fd00:7::78'], { disk: 60 })
    await tess.computer.call('sharing.look', { text: await team.invite() })
    await tess.computer.call('fill')
    const ida = await founder('Ida', ['192.168.7.63'], { disk: 60 })
    await ida.computer.call('fill')

    await expect(tess.computer.call('sharing.join', { name: 'Tess' })).rejects.toThrow('disk/full')
    await expect(share(ida)).rejects.toThrow('disk/full')
  })
})
