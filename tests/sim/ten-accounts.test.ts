import { rmSync } from 'node:fs'
import { SignJWT } from 'jose'
import { afterEach, expect, test } from 'vitest'
import type { Cid } from '#shared/lib/brand.ts'
import { blocksOf, PATIENCE_MS, replayLine, replaySeed, type Amount } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { Link } from '#kit/sim/network.ts'
import { Person } from '#kit/sim/person.ts'
import { SIM_SECRET } from '#kit/sim/server.ts'
import { createWorld, type World } from '#kit/world.ts'

/** Ten whole engines in one process, each with its own files and its own connection to one server. */
const PEOPLE = Array.from({ length: 10 }, (_, n) => `p${n}`)
const SEQUENCES: Amount = { fixed: 30, fresh: 20, long: 20_000, share: 0.04 }
const STEPS = 2
/** After so many sequences the world is created again: a long history only makes the checks slow. */
const WORLD = 100

let world: World | undefined
afterEach(async () => world?.stop())

/** Everyone's own channel, with no other member. */
type Homes = ReadonlyMap<string, Cid>

async function settle(): Promise<[World, Homes]> {
  await world?.stop()
  const made = await createWorld({
    people: PEOPLE,
    channels: ['general'],
    limits: { send: 1e6, query: 1e6, other: 1e6 },
  })
  world = made
  const homes = new Map<string, Cid>()
  for (const person of made.people) {
    const create = person.ui.channels.create({ name: `home ${person.userId}`, isPrivate: true, memberIds: [] })
    homes.set(person.userId, await made.done(create))
  }
  await made.pass(5_000)
  return [made, homes]
}

/** Whose secrets one account has: in its cache, in its outbox, and in its window. */
function secretsHeldBy(person: Person): Set<string> {
  const { cache, outbox } = person.account.engine.stores
  const held = [
    ...cache.reader.db.all<{ text: string }>(`SELECT text FROM messages WHERE text LIKE 'secret-%'`),
    ...outbox.reader.db.all<{ text: string }>(`SELECT payload AS text FROM intents WHERE payload LIKE '%secret-%'`),
    ...person.replica.all('messages').map(({ text }) => ({ text })),
    ...person.replica.all('channels').map(({ cid, name }) => ({ text: `${cid} ${name ?? ''}` })),
  ]
  return new Set(
    held.flatMap(({ text }) => [...text.matchAll(/(?:secret-|home[ -])(p\d)/g)].map(([, who = '']) => who)),
  )
}

const faultsIn = ({ people }: World): string[] =>
  people
    .filter((person) => person.isRunning)
    .flatMap((person) =>
      [...secretsHeldBy(person)]
        .filter((who) => who !== person.userId)
        .map((who) => `${person.userId} holds words of ${who}`),
    )

/** One user does something, or something happens to them. */
async function act(made: World, homes: Homes, random: () => number): Promise<void> {
  const person = made.people[Math.floor(random() * PEOPLE.length)]
  const home = homes.get(person?.userId ?? '')
  if (!person || !home) return
  const dice = random()
  if (!person.isRunning) return person.start()
  if (dice < 0.35) await person.ui.messages.send({ cid: home, text: `secret-${person.userId}` })
  else if (dice < 0.5) await person.ui.messages.send({ cid: made.cid, text: 'for all' })
  else if (dice < 0.6) await person.open(random() < 0.5 ? home : made.cid)
  else if (dice < 0.7) person.link.down(random() < 0.3)
  else if (dice < 0.8) person.link.up()
  else if (dice < 0.88) person.restart()
  else {
    // Signs out: the files stay for the next time, or are deleted.
    const { folder } = person.account
    await made.done(person.quit())
    if (random() < 0.5) rmSync(folder, { recursive: true, force: true })
  }
}

test(
  'ten accounts in one process hold no row of each other, in any order of actions',
  { timeout: PATIENCE_MS },
  async () => {
    const faults: string[] = []
    let sent = 0
    let played = 0
    for (const block of blocksOf('ten accounts open in one process', SEQUENCES, WORLD)) {
      const [made, homes] = await settle()
      const last = replaySeed ?? (block + 1) * WORLD
      for (let seed = block * WORLD + 1; seed <= last && faults.length === 0; seed += 1) {
        played += 1
        const ids = seededIds(seed * 31)
        for (let step = 0; step < STEPS; step += 1) {
          await act(made, homes, () => ids.random())
          await made.pass(300)
        }
        faults.push(...faultsIn(made).map((fault) => `${replayLine('ten-accounts', seed)}: ${fault}`))
      }
      // Everyone is back: what each wrote is on the server, once, and in no other account.
      for (const person of made.people) {
        person.link.up()
        if (!person.isRunning) person.start()
      }
      await made.rest(60_000)
      faults.push(...faultsIn(made))
      for (const [who, home] of homes) {
        const texts = made.stored(home).map(({ text }) => text)
        sent += texts.length
        if (texts.some((text) => text !== `secret-${who}`)) faults.push(`${who} was sent someone else's words`)
        const waiting = made.person(who).account.engine.unsentCount()
        if (waiting > 0) faults.push(`${who} still has ${waiting} unsent`)
      }
      if (faults.length > 0) break
    }
    expect(faults).toEqual([])
    expect(sent).toBeGreaterThan(replaySeed === undefined ? played / 8 : -1)
  },
)

test('AGR-53 with the token of another user the server opens no connection, and no data of anyone is stored', async () => {
  const [made, homes] = await settle()
  const mine = made.person('p0')
  await mine.ui.messages.send({ cid: homes.get('p0') ?? made.cid, text: 'secret-p0' })
  await made.pass(2_000)
  const token = await new SignJWT({ user_id: 'p0' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(SIM_SECRET))
  const ids = seededIds(9)
  const folder = `${mine.account.folder}-stranger`
  const stranger = new Person({
    userId: 'p1',
    token,
    clock: made.clock,
    ids,
    link: new Link(made.clock, ids, made.server),
    folder,
  })
  await made.pass(60_000)
  const { connection } = stranger.account.engine.diagnostics()
  expect(connection.state).not.toBe('healthy')
  expect(stranger.replica.all('channels')).toEqual([])
  expect([...secretsHeldBy(stranger)]).toEqual([])
  stranger.crash()
})
