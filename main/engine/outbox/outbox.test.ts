import { describe, expect, test } from 'vitest'
import type { Intent } from '#shared/domain/intent.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { openTestStores } from '#kit/stores.ts'
import type { NewIntent } from './merge.ts'
import { Outbox } from './outbox.ts'

const cid = asCid('team:general')
const m1 = asMessageId('m1')

function anOutbox() {
  const stores = openTestStores()
  const make = () => new Outbox({ store: stores.outbox, ids: seededIds(), clock: new ManualClock() })
  return { outbox: make(), reopened: make, stores }
}

const send = (text = 'hello'): NewIntent => ({
  kind: 'send-message',
  id: 'm1',
  cid,
  messageId: m1,
  payload: { text, mentionedUserIds: [], showInChannel: false, uploadIds: [], placedAt: 1 },
})
const about = { cid, messageId: m1 }
const edit = (text: string): NewIntent => ({
  ...about,
  kind: 'edit-message',
  payload: { text, mentionedUserIds: [], editedAt: 2 },
})
const remove: NewIntent = { ...about, kind: 'delete-message', payload: { deletedAt: 3 } }
const like: NewIntent = { ...about, kind: 'send-reaction', payload: { type: 'like', score: 1, reactedAt: 4 } }
const unlike: NewIntent = { ...about, kind: 'delete-reaction', payload: { type: 'like' } }
const read = (readAt: number): NewIntent => ({ kind: 'mark-read', cid, payload: { readAt } })

const kinds = (intents: readonly Intent[]) => intents.map(({ kind, state }) => `${kind} ${state}`)

test('with 10,000 queued the next is refused with an error, and the queue is unchanged', () => {
  const { outbox, stores } = anOutbox()
  const newIntent = (n: number): NewIntent => ({
    ...send(`word ${n}`),
    id: `m${n}`,
    messageId: asMessageId(`m${n}`),
    cid: asCid(`team:c${n}`),
  })
  stores.outbox.transaction(() => {
    for (let n = 0; n < 10_000; n += 1) outbox.add(newIntent(n))
  })
  const refused = () => outbox.add(newIntent(10_000))
  expect(refused).toThrow(expect.objectContaining({ code: 'outbox/full' }))
  expect(outbox.count()).toBe(10_000)
  expect(outbox.all()[0]?.id).toBe('m0')
  outbox.remove(['m7'])
  expect(outbox.add(newIntent(10_000)).added?.id).toBe('m10000')
})

test('accepted intents are complete and in order after a restart', () => {
  const { outbox, reopened } = anOutbox()
  outbox.add(send())
  outbox.add(like)
  expect(reopened().all()).toEqual(outbox.all())
})

test('intents in flight at exit are ready again, and nothing else changes', () => {
  const { outbox, reopened } = anOutbox()
  outbox.add(send())
  outbox.add(read(5))
  outbox.update('m1', { state: 'inflight', attempts: 1 })
  const next = reopened()
  next.recoverInflight()
  expect(kinds(next.all())).toEqual(['send-message ready', 'mark-read ready'])
  expect(next.byId('m1')?.attempts).toBe(1)
})

test('finished intents are dropped and the next ones started in one write, or neither', () => {
  const { outbox, reopened } = anOutbox()
  outbox.add(send())
  outbox.add(read(5))
  const [done, next] = outbox.all() as readonly [Intent, Intent]
  const begun: Intent = { ...next, state: 'inflight', attempts: 1 }
  const refused = () =>
    outbox.advance([done.id], [begun], () => {
      throw new Error('the disk is full')
    })
  expect(refused).toThrow('the disk is full')
  expect(kinds(outbox.all())).toEqual(['send-message ready', 'mark-read ready'])
  expect(outbox.all()).toEqual(reopened().all())
  outbox.advance([done.id, 'unknown'], [begun, { ...begun, id: 'unknown' }])
  expect(kinds(outbox.all())).toEqual(['mark-read inflight'])
  expect(outbox.all()).toEqual(reopened().all())
})

describe('merging', () => {
  test('an edit changes the message that was never sent', () => {
    const { outbox } = anOutbox()
    outbox.add(send())
    outbox.add(edit('new'))
    expect(outbox.all().map(({ payload }) => payload)).toMatchObject([{ text: 'new' }])
  })

  test('an edit follows a message that was tried: the server may have the old text', () => {
    const { outbox } = anOutbox()
    outbox.add(send())
    outbox.update('m1', { state: 'waiting', attempts: 1 })
    outbox.add(edit('new'))
    outbox.add(edit('newer'))
    expect(kinds(outbox.all())).toEqual(['send-message waiting', 'edit-message ready'])
    expect(outbox.all()[1]?.payload).toMatchObject({ text: 'newer' })
  })

  test('an edit of a rejected message queues it again', () => {
    const { outbox } = anOutbox()
    outbox.add(send())
    outbox.update('m1', { state: 'parked', attempts: 1, reason: { code: 'server/message-too-long' } })
    outbox.add(edit('short'))
    expect(outbox.all()).toMatchObject([{ state: 'ready', payload: { text: 'short' } }])
    expect(outbox.all()[0]?.reason).toBeUndefined()
  })

  test('new text of a rejected message drops an older edit that has nothing to change', () => {
    const { outbox } = anOutbox()
    outbox.add(send())
    outbox.update('m1', { state: 'inflight', attempts: 1 })
    outbox.add(edit('older'))
    for (const { id } of outbox.all()) outbox.update(id, { state: 'parked', attempts: 1 })
    outbox.add(edit('newer'))
    expect(outbox.all().map(({ kind, state, payload }) => [kind, state, 'text' in payload && payload.text])).toEqual([
      ['send-message', 'ready', 'newer'],
    ])
  })

  test('a delete cancels a message that was never tried, with everything about it', () => {
    const { outbox } = anOutbox()
    outbox.add(send())
    outbox.add(like)
    expect(outbox.add(remove).dropped.map(({ kind }) => kind)).toEqual(['send-message', 'send-reaction'])
    expect(outbox.all()).toEqual([])
  })

  test('a delete follows a message that was tried or is in flight', () => {
    const { outbox } = anOutbox()
    outbox.add(send())
    outbox.update('m1', { state: 'inflight', attempts: 1 })
    outbox.add(remove)
    expect(kinds(outbox.all())).toEqual(['send-message inflight', 'delete-message ready'])
  })

  test('a reaction and its removal are both dropped while neither was tried', () => {
    const { outbox } = anOutbox()
    outbox.add(like)
    outbox.add(unlike)
    expect(outbox.all()).toEqual([])
  })

  test('a queued reaction takes the highest score; one that the server knows is removed by a request', () => {
    const give = (score: number, again = false): NewIntent => ({
      ...about,
      kind: 'send-reaction',
      payload: { type: 'like', score, reactedAt: 4, again: again || undefined },
    })
    const { outbox } = anOutbox()
    outbox.add(like)
    outbox.add(give(5))
    outbox.add(give(3))
    expect(outbox.all()).toMatchObject([{ kind: 'send-reaction', payload: { score: 5 } }])
    outbox.add(unlike)
    expect(outbox.all()).toEqual([])

    outbox.add(give(4, true))
    outbox.add(unlike)
    expect(kinds(outbox.all())).toEqual(['delete-reaction ready'])
    outbox.add(give(6, true))
    expect(outbox.all()).toMatchObject([{ kind: 'send-reaction', payload: { score: 6 } }])
  })

  test('a score raised behind a reaction in flight is replaced by the removal', () => {
    const { outbox } = anOutbox()
    const { added } = outbox.add(like)
    outbox.update(added?.id ?? '', { state: 'inflight', attempts: 1 })
    outbox.add({ ...about, kind: 'send-reaction', payload: { type: 'like', score: 5, reactedAt: 4 } })
    outbox.add(unlike)
    expect(kinds(outbox.all())).toEqual(['send-reaction inflight', 'delete-reaction ready'])
  })

  test('a reaction in flight is followed by its removal', () => {
    const { outbox } = anOutbox()
    const { added } = outbox.add(like)
    outbox.update(added?.id ?? '', { state: 'inflight', attempts: 1 })
    outbox.add(unlike)
    expect(kinds(outbox.all())).toEqual(['send-reaction inflight', 'delete-reaction ready'])
  })

  const pinned = (on: boolean): NewIntent => ({ ...about, kind: 'pin-message', payload: { pinned: on, pinnedAt: 4 } })
  test('the end of a pin replaces the end before it; unpinned meanwhile, it is unpinned for sure', () => {
    const { outbox } = anOutbox()
    const until = (end: number | null): NewIntent => ({
      ...about,
      kind: 'pin-message',
      payload: { pinned: true, pinnedAt: 4, until: end },
    })
    outbox.add(until(9))
    outbox.add(until(null))
    expect(outbox.all().map(({ payload }) => payload)).toEqual([{ pinned: true, pinnedAt: 4, until: null }])
    outbox.add(pinned(false))
    expect(outbox.all().map(({ payload }) => payload)).toEqual([{ pinned: false, pinnedAt: 4 }])
  })

  const blocked = (kind: 'block-person' | 'unblock-person') =>
    ({ cid, kind, payload: { userId: asUserId('ben') } }) as NewIntent
  test.each([
    ['a reaction', like, unlike],
    ['a removal', unlike, like],
    ['a pin', pinned(true), pinned(false)],
    ['an unpin', pinned(false), pinned(true)],
    ['a block', blocked('block-person'), blocked('unblock-person')],
    ['an unblock', blocked('unblock-person'), blocked('block-person')],
  ])('%s that was tried, its opposite and it again: it is still to be sent', (_what, wanted, opposite) => {
    const { outbox } = anOutbox()
    const { added } = outbox.add(wanted)
    // Whether the server has it is not known: the response was lost.
    outbox.update(added?.id ?? '', { state: 'waiting', attempts: 1 })
    outbox.add(opposite)
    expect(outbox.all().at(-1)).toMatchObject({ kind: opposite.kind, payload: opposite.payload })
    outbox.add(wanted)
    expect(outbox.all().at(-1)).toMatchObject({ kind: wanted.kind, payload: wanted.payload })
  })

  test('a vote and its removal are both dropped while untried, unless the vote replaced another one', () => {
    const vote = (kind: 'cast-vote' | 'remove-vote', optionId: string, alone = true): NewIntent =>
      kind === 'cast-vote'
        ? { ...about, kind, payload: { pollId: 'p1', optionId, alone } }
        : { ...about, kind, payload: { pollId: 'p1', optionId } }
    const left = (...newIntents: readonly NewIntent[]) => {
      const { outbox } = anOutbox()
      for (const newIntent of newIntents) outbox.add(newIntent)
      return outbox.all().length
    }
    expect(left(vote('cast-vote', 'a'), vote('remove-vote', 'a'))).toBe(0)
    expect(left(vote('remove-vote', 'a'), vote('cast-vote', 'a'))).toBe(0)
    expect(left(vote('cast-vote', 'a', false), vote('remove-vote', 'a'))).toBe(2)
    expect(left(vote('cast-vote', 'a'), vote('cast-vote', 'b'), vote('remove-vote', 'a'))).toBe(3)
  })

  test('a tried vote is followed by its removal', () => {
    const { outbox } = anOutbox()
    const { added } = outbox.add({ ...about, kind: 'cast-vote', payload: { pollId: 'p1', optionId: 'a', alone: true } })
    outbox.update(added?.id ?? '', { state: 'waiting', attempts: 1 })
    outbox.add({ ...about, kind: 'remove-vote', payload: { pollId: 'p1', optionId: 'a' } })
    expect(kinds(outbox.all())).toEqual(['cast-vote waiting', 'remove-vote ready'])
  })

  test('the furthest read mark of a channel wins', () => {
    const { outbox } = anOutbox()
    outbox.add(read(5))
    outbox.add(read(9))
    outbox.add(read(7))
    expect(outbox.all().map(({ payload }) => payload)).toEqual([{ readAt: 9 }])
  })
})

test('a full disk refuses the intent and changes nothing', () => {
  const { outbox, stores } = anOutbox()
  outbox.add(send())
  const pages = stores.outbox.reader.db.raw.pragma('page_count', { simple: true }) as number
  stores.outbox.reader.db.raw.pragma(`max_page_count = ${pages}`)
  const text = 'x'.repeat(20_000)
  const fill = () => {
    for (let turn = 0; turn < 50; turn += 1) outbox.add({ ...send(text), id: `more${turn}` })
  }
  expect(fill).toThrow(expect.objectContaining({ code: 'disk/full' }))
  expect(outbox.all()).toEqual(new Outbox({ store: stores.outbox, ids: seededIds(), clock: new ManualClock() }).all())
})

test('a row accepted while another one failed stays', () => {
  const { outbox, reopened } = anOutbox()
  const failing = () =>
    outbox.add(send(), () => {
      throw new Error('within')
    })
  expect(failing).toThrow('within')
  expect(outbox.all()).toEqual([])
  expect(reopened().all()).toEqual([])
})
