import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { asMessageId, type MessageId } from '#shared/lib/brand.ts'
import type { HttpResponse, HttpRequest } from '#main/engine/ports.ts'
import type { Person } from '#kit/sim/person.ts'
import { aStage, KINDS, type Kind, type Stage } from './kinds.ts'

/** Every kind of message: online, offline, refused by the server, and across a restart. */
let stage: Stage
const setStage = (): void => {
  beforeAll(async () => {
    stage = await aStage()
    serve()
    await stage.world.pass(1_000)
  })
  afterAll(() => stage.world.stop())
}

const line = ({ method, url }: HttpRequest): string => `${method} ${new URL(url).pathname}`
const json = (status: number, body: object): HttpResponse => ({ status, headers: {}, text: JSON.stringify(body) })
const UPLOAD = /^POST \/channels\/team\/general\/(image|file)$/
const NOWHERE = '/nowhere'

/**
 * The simulated server stores no bytes: it only returns the address. Requests that `refused` matches never reach it.
 */
function serve(refused?: RegExp): void {
  const { alice } = stage
  alice.account.engine.publish({ settings: { ...DEFAULT_SETTINGS, syncDrafts: true } })
  alice.link.tamper = {
    request: (request) =>
      refused?.test(line(request)) ? { ...request, url: new URL(NOWHERE, request.url).href } : request,
    answer: (request, answer) => {
      if (new URL(request.url).pathname === NOWHERE)
        return json(403, { code: 17, message: 'not here', StatusCode: 403 })
      return UPLOAD.test(line(request)) ? json(201, { file: 'https://files.example/1' }) : answer
    },
  }
}

async function restart(): Promise<void> {
  stage.alice.restart()
  serve()
  await stage.world.pass(100)
}

const request = async (kind: Kind, given: MessageId): Promise<MessageId> =>
  (await stage.world.done(kind.request(stage, given))) ?? given

/** For kinds that need no earlier message. */
const NOTHING = asMessageId('none')
const prepared = async (kind: Kind): Promise<MessageId> => (await kind.prepare?.(stage)) ?? NOTHING
const own = (kind: Kind, id: MessageId): unknown => kind.shown(stage, stage.alice, id)
const elsewhere = async (kind: Kind, id: MessageId): Promise<unknown> =>
  kind.stored ? await kind.stored(stage, id) : kind.shown(stage, stage.bob, id)

async function offline(): Promise<void> {
  stage.alice.link.down()
  await stage.world.pass(100)
}

async function online(): Promise<void> {
  stage.alice.link.up()
  await stage.world.pass(40_000)
}

/** What the sender’s own screen shows meanwhile. */
const waiting = (kind: Kind): unknown => ('waiting' in kind ? kind.waiting : kind.is)

const parked = () =>
  stage.alice.replica
    .all('outbox')
    .filter(({ state }) => state === 'parked')
    .map(({ id, reason }) => ({ id, code: reason?.code }))
/** What everyone can see: the response of a command is visible to its author alone. */
const onScreen = (person: Person): string[] =>
  person.messages(stage.world.cid).flatMap(({ id, type }) => (type === 'ephemeral' ? [] : [id]))

const named = (name: string): Kind => KINDS.find((kind) => kind.name === name) as Kind

describe('online', () => {
  setStage()
  test.each(KINDS)('$name arrives', async (kind) => {
    const id = await request(kind, await prepared(kind))
    await stage.world.pass(8_000)
    expect(own(kind, id)).toEqual(kind.is)
    expect(await elsewhere(kind, id)).toEqual(kind.is)
  })
})

describe('offline', () => {
  setStage()
  test.each(KINDS)('$name is shown at once and arrives later, once', async (kind) => {
    const given = await prepared(kind)
    await offline()
    const id = await request(kind, given)
    await stage.world.pass(100)
    expect(own(kind, id)).toEqual(waiting(kind))
    expect(await elsewhere(kind, id)).toEqual(kind.before)
    const before = stage.alice.link.requests.length
    await online()
    expect(own(kind, id)).toEqual(kind.is)
    expect(await elsewhere(kind, id)).toEqual(kind.is)
    expect(stage.alice.link.requests.slice(before).filter((each) => kind.call.test(each))).toHaveLength(kind.times ?? 1)
  })
})

describe('refused by the server', () => {
  setStage()
  test.each(KINDS)(
    '$name is stored with its refusal; it is sent when retried, and removed when discarded',
    async (kind) => {
      const { world, alice } = stage
      await alice.ui.outbox.open()
      const attempt = async () => {
        const given = await prepared(kind)
        serve(kind.call)
        const id = await request(kind, given)
        await world.pass(8_000)
        const [item, ...others] = parked()
        expect(item?.code).toBe('server/not-allowed')
        expect(others).toEqual([])
        expect(await elsewhere(kind, id)).toEqual(kind.before)
        const notified = alice.replica.all('notices').map(({ type }) => type)
        expect(notified).toContain(kind.notice ?? notified.at(-1))
        serve()
        return { id, itemId: item?.id ?? '' }
      }
      const first = await attempt()
      await alice.ui.outbox.retry({ id: first.itemId })
      await world.pass(8_000)
      expect(parked()).toEqual([])
      expect(own(kind, first.id)).toEqual(kind.is)
      expect(await elsewhere(kind, first.id)).toEqual(kind.is)

      await kind.clear?.(stage)
      const second = await attempt()
      await alice.ui.outbox.discard({ id: second.itemId })
      await world.pass(8_000)
      // The parts after a discarded one wait for the user.
      for (const rest of parked()) await alice.ui.outbox.discard({ id: rest.id })
      await world.pass(1_000)
      const left = 'left' in kind ? kind.left : kind.before
      expect(parked()).toEqual([])
      expect(own(kind, second.id)).toEqual(left)
      expect(await elsewhere(kind, second.id)).toEqual(kind.before)
    },
  )

  test('the message of a poll that was created already is stored like any other', async () => {
    const poll = named('a poll')
    serve(/\/message$/)
    const id = await request(poll, NOTHING)
    await stage.world.pass(2_000)
    expect(parked()).toEqual([{ id, code: 'server/not-allowed' }])
    expect(own(poll, id)).toEqual(poll.is)
    serve()
    await stage.alice.ui.outbox.retry({ id })
    await stage.world.pass(2_000)
    expect(await elsewhere(poll, id)).toBe(poll.is)
  })
})

describe('across a restart before it was sent', () => {
  setStage()
  test.each(KINDS.filter((kind) => !kind.needsConfirmation))(
    'AGR-46 $name is restored from disk and arrives, once',
    async (kind) => {
      const given = await prepared(kind)
      await offline()
      const id = await request(kind, given)
      await restart()
      expect(own(kind, id)).toEqual(waiting(kind))
      expect(await elsewhere(kind, id)).toEqual(kind.before)
      const before = stage.alice.link.requests.length
      await online()
      expect(own(kind, id)).toEqual(kind.is)
      expect(await elsewhere(kind, id)).toEqual(kind.is)
      expect(stage.alice.link.requests.slice(before).filter((each) => kind.call.test(each))).toHaveLength(
        kind.times ?? 1,
      )
    },
  )

  test('a live place is stored, and starts only when the user confirms it again', async () => {
    const kind = named('a live place')
    await stage.alice.ui.outbox.open()
    await offline()
    const id = await request(kind, NOTHING)
    await restart()
    await stage.alice.ui.outbox.open()
    await online()
    expect(own(kind, id)).toEqual(kind.is)
    expect(await elsewhere(kind, id)).toBeUndefined()
    expect(parked()).toEqual([{ id, code: 'location/not-resumed' }])
    await stage.alice.ui.outbox.retry({ id })
    await stage.world.pass(2_000)
    expect(await elsewhere(kind, id)).toEqual(kind.is)
    expect(parked()).toEqual([])
  })

  test.each(KINDS.filter(({ notice }) => notice))('$name that was in flight is shown once', async (kind) => {
    const { world, alice, bob } = stage
    const before = onScreen(bob).length
    void kind.request(stage, NOTHING)
    await world.pass(500)
    await restart()
    await world.pass(20_000)
    expect(onScreen(alice)).toEqual(onScreen(bob))
    expect(parked()).toEqual([])
    expect(onScreen(bob)).toHaveLength(before + 1)
  })

  test('a poll whose response was lost is created once, and so is its message', async () => {
    const { world, alice, bob } = stage
    const poll = named('a poll')
    const before = onScreen(bob).length
    alice.link.tamper = {
      request: (request) => request,
      answer: (request, answer) => {
        if (!/POST .*\/(polls|message)$/.test(line(request))) return answer
        alice.link.down()
        return answer
      },
    }
    const id = await request(poll, NOTHING)
    await world.pass(500)
    await restart()
    await online()
    await online()
    expect(await elsewhere(poll, id)).toEqual(poll.is)
    expect(onScreen(bob).length).toEqual(before + 1)
    expect(parked()).toEqual([])
  })
})
