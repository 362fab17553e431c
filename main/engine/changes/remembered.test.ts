import { expect, test } from 'vitest'
import type { ChangeSet } from '#shared/domain/changes.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import {
  aLoneEngine,
  at,
  aWireChannelState,
  aWireMessage,
  aWireUser,
  CID,
  FakeApi,
  withChannel,
} from '#kit/lone-engine.ts'
import { open, send, type Lone, type SentBody } from '#kit/lone-talk.ts'
import { PATIENCE_MS, replayLine, seedsOf } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'

/**
 * Two engines live through the same, each with a server of its own: one as it is, and one that remembers no end of a list,
 * so that it reads every list again. They must tell their windows the same.
 */
type Twin = { readonly lone: Lone; readonly told: { readonly client: string; readonly changes: ChangeSet }[] }

const cid = asCid(CID)
const LEAD = 'm10'
const CLIENTS = ['w1', 'w2'] as const
const OLD = 140
const STEPS_EACH = 60

type Wire = Record<string, unknown>
type Query = { readonly limit?: number; readonly id_lt?: string; readonly id_gt?: string; readonly id_around?: string }

/** What the server has, in order. */
class History {
  readonly messages: Wire[] = Array.from({ length: OLD }, (_, n) => aWireMessage(`m${n}`, n * 1_000))
  #count = 0
  /** Milliseconds after the start; no message is later. */
  time = OLD * 1_000

  put(message: Wire): Wire {
    const held = this.messages.findIndex(({ id }) => id === message['id'])
    if (held >= 0) this.messages.splice(held, 1)
    this.messages.push(message)
    this.messages.sort((a, b) => String(a['created_at']).localeCompare(String(b['created_at'])))
    return message
  }

  made(ms: number, fields: Wire): Wire {
    this.#count += 1
    return this.put(aWireMessage(`n${this.#count}`, ms, fields))
  }

  page(query: Query = {}, parentId?: string): Wire[] {
    const { limit = 25, id_lt: before, id_gt: after, id_around: around } = query
    const all = this.messages.filter((one) =>
      parentId === undefined
        ? one['parent_id'] === undefined || one['show_in_channel'] === true
        : one['parent_id'] === parentId,
    )
    const place = all.findIndex(({ id }) => id === (around ?? before ?? after))
    if (around !== undefined) return all.slice(Math.max(0, place - limit / 2), place + limit / 2)
    if (before !== undefined) return all.slice(Math.max(0, place - limit), Math.max(0, place))
    return after !== undefined ? all.slice(place + 1, place + 1 + limit) : all.slice(-limit)
  }
}

function serverOf(history: History): FakeApi {
  return withChannel(new FakeApi())
    .on('QueryChannels', () => ({ channels: [aWireChannelState(history.page())] }))
    .on('GetOrCreateChannel', ({ body }) =>
      aWireChannelState(history.page((body as { readonly messages?: Query }).messages)),
    )
    .on('GetReplies', ({ params, body }) => ({ messages: history.page(body as Query, params['id']) }))
    .on('GetMessage', ({ params }) => ({ message: history.messages.find(({ id }) => id === params['id']) }))
    .on('SendMessage', ({ body }) => {
      const { id, text } = (body as SentBody).message
      const known = history.messages.find((one) => one['id'] === id)
      return { message: known ?? history.put(aWireMessage(id, history.time, { text, user: aWireUser('me') })) }
    })
}

async function aTwin(history: History, remembers: boolean): Promise<Twin> {
  const lone = await aLoneEngine({ api: serverOf(history) })
  const twin: Twin = { lone, told: [] }
  const { ends } = lone.engine.stores.cache.reader.db.memo
  if (!remembers) Object.assign(ends, { peek: () => undefined })
  lone.engine.onCommitted(({ changes: all }) => {
    for (const [client, changes] of all) twin.told.push({ client, changes })
  })
  lone.engine.attach('w2', { lastChannel: cid })
  await lone.online()
  await open(lone)
  return twin
}

type Chance = { readonly history: History; readonly pick: (count: number) => number }
type Step = (lone: Lone) => Promise<unknown>

const event = (type: string, message: Wire, { time }: History, more: Wire = {}): Wire => ({
  type,
  cid: CID,
  created_at: at(time),
  user: aWireUser('ana'),
  message,
  ...more,
})

function anyOf<Item>({ pick }: Chance, items: readonly Item[]): Item {
  const item = items[pick(items.length)]
  if (item === undefined) throw new Error('Nothing to choose from')
  return item
}
const oneOf = (chance: Chance): Wire => anyOf(chance, chance.history.messages.slice(-1 - chance.pick(40)))

function arrival(chance: Chance, ms: number): Wire {
  const { history, pick } = chance
  const reply = pick(3) === 0 ? { type: 'reply', parent_id: LEAD, show_in_channel: pick(2) === 0 } : {}
  const message = history.made(ms, { ...reply, ...(pick(15) === 0 ? { shadowed: true } : {}) })
  return event('message.new', message, history)
}

function changed(chance: Chance, fields: Wire, type = 'message.updated'): Wire {
  const updated_at = at(chance.history.time)
  return event(type, chance.history.put({ ...oneOf(chance), updated_at, ...fields }), chance.history)
}

const list = (chance: Chance) => ({
  client: { client: anyOf(chance, CLIENTS) },
  place: chance.pick(3) === 0 ? { cid, parentId: asMessageId(LEAD) } : { cid },
})

/** Opens, closes or pages the channel or the thread in a window. A list that is not open, or a place that is gone, is refused. */
function navigation(chance: Chance): Step {
  const { client, place } = list(chance)
  const what = chance.pick(8)
  const around = what < 2 ? asMessageId(String(anyOf(chance, chance.history.messages)['id'])) : undefined
  const direction = what < 5 ? 'older' : 'newer'
  return async ({ engine: { handlers }, clock }) => {
    const of = place.parentId === undefined ? handlers.channels : handlers.threads
    const asked = { ...place, parentId: place.parentId ?? asMessageId('') }
    if (what < 3) await Promise.resolve(of.open({ ...asked, around }, client)).catch(() => undefined)
    else if (what < 7) await of.page({ ...asked, direction }, client)
    else await of.close(asked, client)
    await clock.settle()
  }
}

function hardDeletion(chance: Chance): Wire {
  const { history } = chance
  const [gone] = history.messages.splice(history.messages.indexOf(oneOf(chance)), 1)
  return event('message.deleted', { ...gone, type: 'deleted' }, history, { hard_delete: true })
}

const hears =
  (...events: readonly Wire[]): Step =>
  (lone) =>
    lone.hear(...events)

const arrivals = (chance: Chance, count: number): readonly Wire[] =>
  Array.from({ length: count }, () => arrival(chance, (chance.history.time += 10)))

const KINDS: readonly ((chance: Chance) => Step)[] = [
  (chance) => hears(arrival(chance, chance.history.time)),
  (chance) => hears(...arrivals(chance, 1 + chance.pick(5))),
  (chance) => {
    const events = arrivals(chance, 60)
    return async (lone) => {
      for (const each of events) await lone.hear(each)
    }
  },
  (chance) => hears(arrival(chance, chance.history.time - chance.pick(4) * 1_000)),
  (chance) => hears(changed(chance, { text: `said at ${chance.history.time}` })),
  navigation,
  navigation,
  (chance) => hears(...arrivals(chance, 100)),
  (chance) => hears(arrival(chance, chance.pick(chance.history.time))),
  (chance) =>
    hears(changed(chance, { type: 'deleted', text: '', deleted_at: at(chance.history.time) }, 'message.deleted')),
  (chance) => hears(changed(chance, { shadowed: chance.pick(2) === 0 })),
  (chance) => hears(hardDeletion(chance)),
  ({ pick }) => {
    const more = pick(3) === 0 ? { parentId: asMessageId(LEAD) } : {}
    return (lone) => send(lone, 'mine', more)
  },
  (chance) => {
    arrivals(chance, chance.pick(150))
    return async (lone) => {
      await lone.offline()
      await send(lone, 'mine, later')
    }
  },
  () => (lone) => lone.online(),
  () => (lone) => lone.online(),
  () => (lone) => lone.clock.advance(2_000),
  ({ history, pick }) => {
    const truncated_at = at(history.time - (pick(3) === 0 ? 5_000 : 100_000))
    const kept = history.messages.filter(({ id, created_at }) => id === LEAD || String(created_at) >= truncated_at)
    history.messages.splice(0, history.messages.length, ...kept)
    const channel = { cid: CID, truncated_at }
    return hears({ type: 'channel.truncated', cid: CID, created_at: at(history.time), channel })
  },
]

/** Most of what happens: messages come, change, and are looked for. */
const OFTEN = 7

/** What an engine told its windows in each step, as JSON. */
async function toldIn(seed: number, remembers: boolean): Promise<readonly string[]> {
  const history = new History()
  const random = seededIds(seed)
  const chance: Chance = { history, pick: (count) => Math.floor(random.random() * count) }
  const { lone, told } = await aTwin(history, remembers)
  try {
    const steps: string[] = []
    for (let turn = 0; turn < STEPS_EACH; turn += 1) {
      history.time += 1_000
      const kind = chance.pick(chance.pick(4) === 0 ? KINDS.length : OFTEN)
      await KINDS[kind]?.(chance)(lone)
      steps.push(JSON.stringify({ kind, told: told.splice(0) }))
    }
    return steps
  } finally {
    await lone.engine.stop()
  }
}

async function differenceAfter(seed: number): Promise<unknown> {
  const [told, again] = [await toldIn(seed, true), await toldIn(seed, false)]
  const turn = told.findIndex((step, at) => step !== again[at])
  return turn < 0 ? undefined : { turn, told: told[turn], again: again[turn] }
}

test('a window is told the same as if each list was read again', { timeout: PATIENCE_MS }, async () => {
  for (const seed of seedsOf('lists told from memory', { fixed: 4, fresh: 2, long: 1_000, share: 0.005 }))
    expect(await differenceAfter(seed), replayLine('main/engine/changes/remembered', seed)).toBeUndefined()
})
