import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import type { HttpResponse, HttpRequest } from '#main/engine/ports.ts'
import { aStage, KINDS, type Kind, type Stage } from './kinds.ts'

/**
 * Every kind of message, with responses that for a while belong to another request: the message stays queued, and
 * arrives once.
 */
let stage: Stage
beforeAll(async () => {
  stage = await aStage()
  answer()
  await stage.world.pass(1_000)
})
afterAll(() => stage.world.stop())

const UPLOAD = /^POST \/channels\/team\/general\/(image|file)$/
const STRANGER = 'stranger'
const line = ({ method, url }: HttpRequest): string => `${method} ${new URL(url).pathname}`
const json = (status: number, body: object): HttpResponse => ({ status, headers: {}, text: JSON.stringify(body) })

/** What each name in a response becomes: the one that a response to another request would have. */
const SWAPS = {
  'another id': (text: string) =>
    text.replace(/"(id|message_id|poll_id|parent_message_id)":"[^"]*"/gu, `"$1":"${STRANGER}"`),
  'another channel': (text: string) => text.replace(/"(cid|channel_cid)":"[^"]*"/gu, `"$1":"team:${STRANGER}"`),
  'nothing at all': () => '{}',
} as const
type Swap = keyof typeof SWAPS

/** The responses of these calls are swapped; where `isIntercepted`, the requests do not reach the server either. */
function answer(swapped?: RegExp, swap: Swap = 'another id', isIntercepted = false): void {
  const { alice } = stage
  alice.account.engine.publish({ settings: { ...DEFAULT_SETTINGS, syncDrafts: true } })
  alice.link.tamper = {
    request: (request) =>
      isIntercepted && swapped?.test(line(request)) ? { ...request, method: 'GET', url: LIST } : request,
    answer(request, given) {
      const notified = UPLOAD.test(line(request)) ? json(201, { file: 'https://files.example/1' }) : given
      if (isIntercepted && request.url === LIST)
        return json(201, { message: { id: STRANGER, cid: stage.world.cid, text: 'x' } })
      return swapped?.test(line(request)) && notified.status < 300
        ? { ...notified, text: SWAPS[swap](notified.text) }
        : notified
    },
  }
}
const LIST = 'http://127.0.0.1:9999/nowhere'

/** Nothing about an unrelated user is stored, in any table. */
function strangers(): string[] {
  const { db } = stage.alice.account.engine.stores.cache.reader
  const tables = db.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%fts%'",
  )
  return tables.flatMap(({ name }) =>
    db.all<Record<string, unknown>>(`SELECT * FROM "${name}"`).some((row) => JSON.stringify(row).includes(STRANGER))
      ? [name]
      : [],
  )
}

/** How often the server has stored the intended object, by its id. */
const times = (id: string): number => stage.world.stored(stage.world.cid).filter((row) => row.id === id).length

async function swapped(kind: Kind, swap: Swap, isIntercepted: boolean): Promise<unknown> {
  const { world, alice, bob } = stage
  const given = (await kind.prepare?.(stage)) ?? asMessageId('none')
  answer(kind.call, swap, isIntercepted)
  const id = (await world.done(kind.request(stage, given))) ?? given
  await world.pass(12_000)
  const meanwhile = strangers()
  answer()
  await world.rest()
  const outcome = {
    shown: kind.shown(stage, alice, id),
    elsewhere: kind.stored ? await kind.stored(stage, id) : kind.shown(stage, bob, id),
    strangers: [...meanwhile, ...strangers()],
    waiting: alice.replica.all('outbox').length,
    times: Math.max(1, times(id)),
  }
  await kind.clear?.(stage)
  return outcome
}

const right = ({ is }: Kind) => ({ shown: is, elsewhere: is, strangers: [], waiting: 0, times: 1 })

describe.each(Object.keys(SWAPS) as Swap[])('answered with %s', (swap) => {
  test.each(KINDS.map((kind) => [kind.name, kind] as const))('%s', async (_name, kind) => {
    expect(await swapped(kind, swap, false)).toEqual(right(kind))
  })
})

describe('with the response of another message, without reaching the server', () => {
  test.each(KINDS.map((kind) => [kind.name, kind] as const))('%s', async (_name, kind) => {
    expect(await swapped(kind, 'another id', true)).toEqual(right(kind))
  })
})
