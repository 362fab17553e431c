import { setImmediate } from 'node:timers/promises'
import * as fc from 'fast-check'
import { FakeHttp, refusal } from '#kit/fake-http.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { MEMORY_DISK } from '#kit/sim/memory-disk.ts'
import { createWorld, type World } from '#kit/world.ts'
import { Api } from '#main/engine/api/client.ts'
import { createServerClock } from '#main/engine/session/server-clock.ts'
import { createTokenManager } from '#main/engine/session/token.ts'
import { silentSink } from '#main/lib/logger.ts'
import { getApp } from '#shared/wire/app.ts'
import type { Verdict } from '../../fuzz/history.ts'
import { playConnection } from '../models/connection-model.ts'
import { OutboxModel } from '../models/outbox-model.ts'
import { anOutcome, ops } from '../models/outbox-ops.ts'
import { playSets } from '../models/sets-model.ts'
import { faultOf, runSchedule } from '../../fuzz/schedule.ts'

/** The complaints of a run, by kind. Empty when every promise held. */
export const scenarios = {
  schedule: (seed: number) => runSchedule(seed).catch(faultOf),
  'old-edit': (seed: number) => inWorld(seed, oldEdit),
  poison: (seed: number) => inWorld(seed, poison),
  tokens,
  flaky: (seed: number) => inWorld(seed, flaky),
  jump: (seed: number) => inWorld(seed, jump),
  'full-server': (seed: number) => inWorld(seed, fullServer),
  'outbox-model': (seed: number) =>
    modelled(
      seed,
      fc.asyncProperty(ops, fc.array(anOutcome, { maxLength: 30 }), async (list, script) =>
        none(await new OutboxModel(script, MEMORY_DISK).run(list)),
      ),
    ),
  'sets-model': (seed: number) =>
    modelled(
      seed,
      fc.asyncProperty(steps, async (list) => none(playSets(list))),
    ),
  'connection-model': (seed: number) =>
    modelled(
      seed,
      fc.asyncProperty(steps, async (list) => none(await playConnection(list))),
    ),
}

const steps = fc.array(fc.nat({ max: 100_000 }), { minLength: 1, maxLength: 16 })
const MODEL_RUNS = 100

function none(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

async function modelled<T>(seed: number, property: fc.IAsyncProperty<T>): Promise<Verdict> {
  const { failed, errorInstance } = await fc.check(property, { seed, numRuns: MODEL_RUNS, endOnFailure: true })
  return failed ? faultOf(errorInstance) : []
}

async function inWorld(seed: number, play: (world: World) => Promise<Verdict>): Promise<Verdict> {
  const world = await createWorld({ people: ['ann', 'ben'], seed })
  try {
    return await play(world).catch(faultOf)
  } finally {
    await world.stop()
  }
}

/** An old message is edited while its reader is away: only the server's log of events reports it. */
async function oldEdit(world: World): Promise<Verdict> {
  const { cid } = world
  const [ann, ben] = [world.person('ann'), world.person('ben')]
  const first = await ben.ui.messages.send({ cid, text: 'first' })
  await world.pass(2_000)
  ann.link.down()
  for (let n = 0; n < 150; n++)
    await world.as('ben', 'POST', '/channels/team/general/message', { message: { text: `${n}` } })
  ann.link.up()
  await ann.open(cid)
  await world.pass(10_000)
  for (let page = 0; page < 4; page++) {
    await world.done(ann.ui.channels.page({ cid, direction: 'older' }))
    await world.pass(1_000)
  }
  const order = ann.messages(cid).map(({ id }) => id)
  if (
    order.join() !==
    world
      .stored(cid)
      .map(({ id }) => id)
      .join()
  )
    return ['ann sees another order']
  ann.link.down()
  await world.pass(60_000)
  await world.as('ben', 'POST', `/messages/${first}`, { message: { id: first, text: 'second thoughts' } })
  await world.pass(60_000)
  ann.link.up()
  await world.rest()
  const shown = ann.messages(cid).find(({ id }) => id === first)
  return shown?.text === 'second thoughts' ? [] : [`ann still shows old words: ${shown?.text ?? 'nothing'}`]
}

/** The server refuses one message permanently; the one after it must not wait for it. */
async function poison(world: World): Promise<Verdict> {
  const { cid } = world
  const ann = world.person('ann')
  let attempts = 0
  ann.link.tamper.answer = (request, answer) => {
    if (typeof request.body !== 'string' || !request.body.includes('"poison"')) return answer
    attempts += 1
    return { ...answer, status: 400, text: '{"code":4,"message":"no","StatusCode":400}' }
  }
  await ann.ui.messages.send({ cid, text: 'poison' })
  await ann.ui.messages.send({ cid, text: 'food' })
  await world.pass(5_000)
  const item = ann.replica.all('outbox').find(({ messageId }) => messageId !== undefined)
  return [
    ...(item?.state === 'parked' ? [] : [`the poison is not parked but ${item?.state ?? 'gone'}`]),
    ...(attempts === 1 ? [] : [`the poison was asked ${attempts} times`]),
    ...(world.stored(cid).some(({ text }) => text === 'food') ? [] : ['food is lost']),
  ]
}

/** A proxy drops the first message once, and responds in the server's place. */
function refuseOnce(world: World): void {
  let refused = false
  const { link } = world.person('ann')
  const plain = link.request.bind(link)
  link.request = async (request) => {
    if (!request.url.includes('/message?') || refused) return plain(request)
    refused = true
    return { status: 503, headers: {}, text: '' }
  }
}

/** The first try fails; a message that waits for its second is not overtaken. */
async function flaky(world: World): Promise<Verdict> {
  const { cid } = world
  const ann = world.person('ann')
  const texts = Array.from({ length: 8 }, (_, n) => `ann ${n}`)
  refuseOnce(world)
  for (const text of texts) await ann.ui.messages.send({ cid, text })
  await world.rest()
  const order = world.stored(cid).map(({ text }) => text)
  return order.join() === texts.join() ? [] : [`ann's messages changed their order: ${order.join()}`]
}

/** The wall clock is set back by a day while a message waits for its second try. */
async function jump(world: World): Promise<Verdict> {
  const ann = world.person('ann')
  refuseOnce(world)
  await ann.ui.messages.send({ cid: world.cid, text: 'in time' })
  await world.pass(500)
  ann.skewMs = -24 * 3_600_000
  await world.rest()
  return ann.replica.all('outbox').map(({ kind, state }) => `ann still has unsent: ${kind} ${state}`)
}

const PARALLEL = 100

/** A hundred calls meet an expired token at once. */
async function tokens(): Promise<Verdict> {
  let fetched = 0
  const load = async (): Promise<string> => {
    await setImmediate()
    return `T${(fetched += 1)}`
  }
  const clock = new ManualClock()
  const http = new FakeHttp().on('GET', '/app', (call) =>
    call.headers['authorization'] === 'T1' ? refusal(401, 40) : { body: { app: {} } },
  )
  const api = new Api({
    baseUrl: 'https://chat.example',
    apiKey: 'K',
    userId: 'ann',
    clientName: 'parlor',
    tokens: createTokenManager({ kind: 'provider', load }),
    serverClock: createServerClock(clock),
    ports: { clock, ids: seededIds(), http, log: silentSink },
  })
  await api.send(getApp, {}).catch(() => undefined)
  fetched = 0
  http.on('GET', '/app', (call) => (call.headers['authorization'] === 'T1' ? { body: { app: {} } } : refusal(401, 40)))
  const answers = await Promise.allSettled(Array.from({ length: PARALLEL }, () => api.send(getApp, {})))
  const failed = answers.filter(({ status }) => status === 'rejected').length
  return [
    ...(fetched === 1 ? [] : [`${fetched} tokens were fetched for ${PARALLEL} calls`]),
    ...(failed === 0 ? [] : [`${failed} calls failed`]),
  ]
}

/** The server's disk is full: no one may receive an event about what it could not store. */
async function fullServer(world: World): Promise<Verdict> {
  const { cid } = world
  const [ann, ben] = [world.person('ann'), world.person('ben')]
  await ben.open(cid)
  await world.pass(2_000)
  const received: string[] = []
  ben.link.tamper.losesFrame = (text) => {
    if (text.startsWith('{"type":"message.new"')) received.push(text)
    return false
  }
  const db = world.server.services.db as { transaction: <T>(work: () => T) => T }
  const { transaction } = db
  db.transaction = <T>(work: () => T): T =>
    transaction(() => {
      work()
      // The disk fails at the COMMIT of the transaction.
      throw new Error('no room')
    })
  await ann.ui.messages.send({ cid, text: 'into the void' })
  await world.pass(3_000)
  db.transaction = transaction
  const isStored = world.stored(cid).some(({ text }) => text === 'into the void')
  return received.length > 0 && !isStored ? ['ben was told of a message that is not stored'] : []
}
