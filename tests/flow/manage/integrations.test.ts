import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import { wakeDueTimer } from '#main/server/store/time.ts'
import { startDueTimer } from '#main/server/store/upkeep.ts'
import { createWorld, type World } from '#kit/world.ts'

/** Programs of a workspace of our own kind: `ola` is an administrator in person, `alice` only has the API secret. */

let world: World
beforeAll(async () => {
  world = await createWorld({ people: ['alice', 'bob', 'ola'], channels: ['general'], withSecret: ['alice'] })
  await world.asServer('POST', '/users', { users: { ola: { id: 'ola', role: 'admin' } } })
  await world.pass(2_000)
})
afterAll(() => world.stop())

const integrations = (userId = 'ola') => world.person(userId).ui.integrations
const code = (work: Promise<unknown>) => world.done(work).catch((error: { code: string }) => error.code)
const topic = () => world.person('ola').replica.get('manage', 'self')?.changes.integrations ?? 0

test('they are offered to administrators, and to nobody else', async () => {
  const rights = (userId: string) => world.person(userId).replica.get('manage', 'self')?.rights ?? []
  expect(rights('ola')).toContain('integrations')
  expect(rights('alice')).not.toContain('integrations')
  expect(rights('bob')).toEqual([])
  expect(await code(integrations('bob').list())).toBe('manage/not-allowed')
})

test('a webhook is made, shown, tested, paused and revoked; each change is announced', async () => {
  const before = topic()
  const { integration, secret } = await world.done(
    integrations().create({ kind: 'incoming', name: 'Build server', cid: world.cid }),
  )
  expect(secret).toMatch(/\/hooks\/[\w-]{43}$/)
  expect(topic()).toBeGreaterThan(before)
  const { id } = integration
  expect(await world.done(integrations().reveal({ id }))).toBe(secret)
  expect(await world.done(integrations().test({ id, text: 'Test by Ola' }))).toMatchObject({
    outcome: 'posted',
    cid: world.cid,
  })
  expect(await world.done(integrations().calls({ id }))).toMatchObject([{ outcome: 'posted', what: 'Test by Ola' }])
  await world.done(integrations().pause({ ids: [id], paused: true }))
  expect(await world.done(integrations().list())).toMatchObject([{ id, paused: true }])
  await world.done(integrations().revoke({ ids: [id] }))
  expect((await world.done(integrations().list()))[0]?.revokedAt).toBeGreaterThan(0)
  expect(await code(integrations().reveal({ id }))).toBe('integrations/gone')
})

test('what a program posts reaches everyone in the channel as a program’s', async () => {
  const { integration } = await world.done(integrations().create({ kind: 'incoming', name: 'Weather', cid: world.cid }))
  const { messageId = '' } = await world.done(integrations().test({ id: integration.id, text: 'Snow above 1,200 m' }))
  await world.pass(1_000)
  const message = world.stored(world.cid).find(({ id }) => id === messageId)
  expect(message).toMatchObject({ text: 'Snow above 1,200 m', userId: `program-${integration.id}` })
})

test('whoever made it is told once when it has failed five times in a row', async () => {
  const freeze = (frozen: boolean) => world.asServer('POST', '/channels/team/general', { data: { frozen } })
  const { integration } = await world.done(
    integrations().create({ kind: 'incoming', name: 'Ticket desk', cid: world.cid }),
  )
  await freeze(true)
  for (let turn = 0; turn < 6; turn += 1) {
    expect((await world.done(integrations().test({ id: integration.id, text: 'x' }))).outcome).toBe('channel-frozen')
  }
  await freeze(false)
  await world.pass(1_000)
  const told = world
    .person('ola')
    .replica.all('notices')
    .filter(({ code: text }) => text === 'integrations/failing')
  expect(told).toMatchObject([{ params: { name: 'Ticket desk' }, severity: 'warning' }])
  expect((await world.done(integrations().list())).find(({ id }) => id === integration.id)?.fails).toBe(6)
})

test('there is one timer of what is due, also when a step of its own turn brings it forward', async () => {
  const clock = new ManualClock()
  const { services } = world.server
  const waking = {
    now: () => {
      wakeDueTimer(services.db)
      return clock.now()
    },
    monotonic: () => clock.monotonic(),
    after: (ms: number, run: () => void) => clock.after(ms, run),
  }
  const stop = startDueTimer({ ...services, clock: waking })
  await clock.advance(15_000)
  expect(clock.pending).toBe(1)
  stop()
  expect(clock.pending).toBe(0)
})

test('refusals say what is wrong', async () => {
  const url = 'http://127.0.0.1:9/x'
  const command = (name: string) => integrations().create({ kind: 'command', name: 'Votes', command: name, url })
  expect(await code(command('poll'))).toBe('integrations/taken')
  expect(await code(command('giphy'))).toBe('integrations/taken')
  expect(await code(integrations().probe({ kind: 'command', url: 'http://169.254.169.254/' }))).toBe(
    'integrations/address',
  )
  expect(await code(integrations().calls({ id: 'nothing' }))).toBe('integrations/gone')
})

test('a command of a program is offered with its name, and is none of the commands that are configured', async () => {
  const url = 'http://127.0.0.1:9/x'
  await world.done(world.person('bob').ui.channels.open({ cid: world.cid }))
  await world.done(
    integrations().create({ kind: 'command', name: 'Build server', command: 'deploy', hint: 'Where', url }),
  )
  await world.pass(2_000)
  expect(world.person('bob').replica.get('channels', world.cid)?.config.commands).toContainEqual(
    expect.objectContaining({ name: 'deploy', program: 'Build server', description: 'Where' }),
  )
  const { commands } = await world.done(world.person('alice').ui.workspace.commands())
  expect(commands.map(({ name }) => name)).not.toContain('deploy')
})
