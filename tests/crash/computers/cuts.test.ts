import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '#kit/parts.ts'
import { freshFrom, isInShare, PATIENCE_MS, replayLine, replaySeed } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import type { FoundWorkspaces } from '#shared/domain/sharing.ts'
import { hasRooms } from './room.ts'
import { eventually, isWhole, must, type Person, Team } from './team.ts'

/**
 * Two computers with addresses of their own, one of which shares its workspace: killed, and cut off from each other, at
 * each step after joining. Nothing is lost, and nothing is doubled. The gate takes some of the cuts, others from run to
 * run; the long run takes all of them.
 */
const SHARES = 8
const seed = replaySeed ?? freshFrom
const chance = seededIds(seed)
const REPLAY = replayLine('tests/crash/computers', seed)
const upTo = (most: number): number => 1 + Math.floor(chance.random() * most)

type Cut = {
  readonly name: string
  /** Takes most of a minute. */
  readonly isLong?: true
  /** Resolves once what was cut is up again; the rest recovers by itself. */
  readonly run: (team: Team, person: Person) => Promise<void>
}

const CUTS: readonly Cut[] = [
  {
    name: 'the app of the one who joined is killed',
    async run(_team, { computer }) {
      await computer.kill()
      await computer.start()
    },
  },
  {
    name: 'the server of the workspace is killed',
    run({ ann }) {
      ann.computer.killServer()
      return Promise.resolve()
    },
  },
  {
    name: 'the app of the owner is killed',
    async run({ ann }) {
      await ann.computer.kill()
      await ann.computer.start()
    },
  },
  {
    name: 'nothing arrives for a while',
    isLong: true,
    async run(_team, { computer }) {
      computer.place.cut()
      await eventually(() => must(isHealthy(computer, false), 'that the line is known to be dead'))
      computer.place.mend()
    },
  },
  {
    name: 'the cable is out for a moment',
    async run(_team, { computer }) {
      computer.place.unplug()
      await computer.rows('connection')
      computer.place.plug()
    },
  },
]

async function isHealthy(computer: Person['computer'], wanted: boolean): Promise<boolean> {
  const [line] = await computer.rows('connection')
  return (line?.state === 'healthy') === wanted
}

/** Cases of a step: each cut, in turns of the gate. */
const cutsOf = (step: number): readonly (readonly [string, Cut])[] =>
  CUTS.flatMap((cut, at) =>
    isInShare(step + at, SHARES) && (isLong || cut.isLong !== true) ? [[cut.name, cut] as const] : [],
  )

let team: Team
let count = 0

const newPerson = (): Promise<Person> => team.enters(`Marek${(count += 1)}`)

/** Somebody who has joined, and a channel of this test. */
async function member(): Promise<{ readonly person: Person; readonly cid: string }> {
  const cid = await team.channel()
  const person = await newPerson()
  await team.join(person, await team.invite())
  await eventually(() => must(person.isSettled()))
  return { person, cid }
}

/** Cuts after so many pushes to the window, at the latest when what is under way is done and everything has arrived. */
async function cutWhile(person: Person, cut: Cut, pushes: number, work: () => Promise<unknown>): Promise<void> {
  const reached = person.computer.afterPushes(pushes)
  const done = work().then(
    () => eventually(() => must(person.isSettled())),
    // The process ended, or its line did: that is what the test does.
    () => undefined,
  )
  await Promise.race([reached, done])
  await cut.run(team, person)
  await done
}

/** An address that nobody has had. */
let nextAddress = 1
const freshAddress = (): string => `192.168.7.${(nextAddress += 1)}`

beforeAll(async () => {
  if (hasRooms) team = await Team.gather('crash-computers')
}, PATIENCE_MS)
afterEach(() => team?.others.at(-1)?.computer.kill())
afterAll(() => team?.disperse())

describe.skipIf(!hasRooms)('between two computers', () => {
  test.each(cutsOf(0))('during the first sync, %s: it is complete', { timeout: PATIENCE_MS }, async (_name, cut) => {
    const person = await newPerson()
    const [link, pushes] = [await team.invite(), upTo(12)]
    await cutWhile(person, cut, pushes, () => team.join(person, link))
    // Accepted before it could be stored: it is asked for again.
    await eventually(async () => {
      await person.computer.call('app.attach')
      await must(person.isSettled(), 'that the account is there')
    })

    await expect(isWhole(team, person), `after ${pushes} pushes: ${REPLAY}`).resolves.toBeUndefined()
  })

  test.each(cutsOf(1))(
    'while both write, %s: each message is there once',
    { timeout: PATIENCE_MS },
    async (_name, cut) => {
      const { person, cid } = await member()
      const [both, moment] = [12, upTo(8)]
      const writing = [person.write(cid, both), team.ann.write(cid, both)]
      await eventually(() => must(person.written.accepted.length >= moment))
      await cut.run(team, person)
      await Promise.all(writing)
      await Promise.all([person.write(cid, 2), team.ann.write(cid, 2)])

      await expect(isWhole(team, person), `after ${moment} messages: ${REPLAY}`).resolves.toBeUndefined()
    },
  )

  test.each(cutsOf(2))(
    'after a renewed invitation, %s: it is the same person',
    { timeout: PATIENCE_MS },
    async (_name, cut) => {
      const { person, cid } = await member()
      await person.write(cid, 2)
      const address = freshAddress()
      team.move(address)
      await eventually(async () => must((await team.listensAt()).includes(address)))
      await person.write(cid, 2)
      const [link, pushes] = [await team.invite(), upTo(6)]
      await cutWhile(person, cut, pushes, () => team.join(person, link))
      await eventually(() => team.join(person, link))
      await person.write(cid, 2)

      await expect(isWhole(team, person), `after ${pushes} pushes: ${REPLAY}`).resolves.toBeUndefined()
    },
  )

  test.each(cutsOf(3))(
    'after the address moved, %s: it is found again',
    { timeout: PATIENCE_MS },
    async (_name, cut) => {
      const { person, cid } = await member()
      const address = freshAddress()
      const writing = person.write(cid, 6)
      team.move(address)
      await cut.run(team, person)
      await writing
      await eventually(async () => {
        const { found } = await person.computer.call<FoundWorkspaces>('sharing.nearby')
        const [here] = found.filter(({ known, address: at }) => known && at === address)
        if (!here) throw new Error('it is not announced at its new address')
        await person.computer.call('sharing.reopen', { id: here.id })
      })
      await person.computer.call('app.attach')
      await person.write(cid, 2)

      await expect(isWhole(team, person), REPLAY).resolves.toBeUndefined()
    },
  )
})
