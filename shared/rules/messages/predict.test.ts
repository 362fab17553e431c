import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Intent, IntentFor, IntentPayloads, IntentKind, IntentState } from '#shared/domain/intent.ts'
import type { Message } from '#shared/domain/message.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { predictMessage, predictRead, predictThread, type PredictContext } from './predict.ts'

const cid = asCid('messaging:general')
const me = asUserId('alice')
const id = asMessageId('m1')
const context: PredictContext = { me, online: true, upload: () => undefined }

const aFact = (over: Partial<Message> = {}): Message => ({
  id,
  cid,
  userId: me,
  text: 'hello',
  type: 'regular',
  status: 'received',
  showInChannel: false,
  attachments: [],
  uploads: [],
  mentionedUserIds: [],
  reactions: [],
  pinned: false,
  silent: false,
  shadowed: false,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...over,
})

function anIntent<Kind extends IntentKind>(
  kind: Kind,
  payload: IntentPayloads[Kind],
  over: Partial<Intent> = {},
): Intent {
  return {
    id: `${kind}-1`,
    seq: 1,
    kind,
    cid,
    messageId: id,
    state: 'ready',
    attempts: 0,
    retryable: true,
    nextAt: 0,
    createdAt: 1_000,
    payload,
    ...over,
  } as Intent
}

const send = (text = 'hello', over: Partial<Intent> = {}): Intent =>
  anIntent('send-message', { text, mentionedUserIds: [], showInChannel: false, uploadIds: [], placedAt: 1_000 }, over)

const reacted = (type: string) => anIntent('send-reaction', { type, score: 1, reactedAt: 2_000 })
const unreacted = (type: string) => anIntent('delete-reaction', { type })

describe('an unsent message', () => {
  test('is sending while online and queued while not', () => {
    const online = predictMessage(undefined, [send()], context)
    const offline = predictMessage(undefined, [send()], { ...context, online: false })
    expect(online?.status).toBe('sending')
    expect(offline?.status).toBe('queued')
  })

  test('is failed with its reason once parked', () => {
    const parked = send('hello', { state: 'parked', retryable: false, reason: { code: 'outbox/gone' } })
    expect(predictMessage(undefined, [parked], context)).toMatchObject({
      status: 'failed',
      failure: { code: 'outbox/gone', retryable: false },
    })
  })

  test('is replaced by its fact, whichever of echo and response came first', () => {
    const fact = aFact({ createdAt: 1_234.5 })
    expect(predictMessage(fact, [send()], context)).toBe(fact)
  })
})

test('a refused change leaves the fact unchanged', () => {
  const parked = { ...reacted('like'), state: 'parked' as IntentState }
  const fact = aFact()
  expect(predictMessage(fact, [parked as Intent], context)).toBe(fact)
})

test('raising a reaction adds the difference, and removing it subtracts the whole score', () => {
  const given = (score: number) => anIntent('send-reaction', { type: 'clap', score, reactedAt: 2_000 })
  const group = { type: 'clap', count: 2, sumScores: 5, firstAt: 1, lastAt: 1, own: true, ownScore: 2, userIds: [] }
  const seen = (...intents: Intent[]) => predictMessage(aFact({ reactions: [group] }), intents, context)?.reactions[0]
  expect(seen(given(7))).toMatchObject({ count: 2, sumScores: 10, ownScore: 7 })
  expect(seen(given(1))).toBe(group)
  expect(seen(given(7), unreacted('clap'))).toMatchObject({ count: 1, sumScores: 3, own: false })
  expect(predictMessage(aFact(), [given(4)], context)?.reactions[0]).toMatchObject({
    count: 1,
    sumScores: 4,
    ownScore: 4,
  })
})

test('a pin has its end at once; another end changes nothing else, and unpinning removes it', () => {
  const pinned = { pinned: true, pinnedAt: 3_000 }
  const until = (end: number | null) => anIntent('pin-message', { ...pinned, pinnedAt: 4_000, until: end })
  const fact = aFact({ ...pinned, pinnedBy: asUserId('ola'), pinExpires: 9_000 })
  expect(predictMessage(aFact(), [until(8_000)], context)).toMatchObject({
    pinned: true,
    pinnedBy: me,
    pinExpires: 8_000,
  })
  expect(predictMessage(fact, [until(7_000)], context)).toEqual({ ...fact, pinExpires: 7_000 })
  expect(predictMessage(fact, [anIntent('pin-message', { ...pinned, pinnedAt: 4_000 })], context)).toBe(fact)
  expect(predictMessage(fact, [until(null)], context)).not.toHaveProperty('pinExpires')
  expect(predictMessage(fact, [anIntent('pin-message', { pinned: false, pinnedAt: 4_000 })], context)).toEqual(aFact())
})

test('a reaction removed before it was confirmed leaves nothing', () => {
  expect(predictMessage(aFact(), [reacted('like'), unreacted('like')], context)?.reactions).toEqual([])
})

test('removing the own reaction leaves those of others', () => {
  const group = {
    type: 'like',
    count: 2,
    sumScores: 2,
    firstAt: 1,
    lastAt: 2,
    own: true,
    userIds: [me, asUserId('bob')],
  }
  const seen = predictMessage(aFact({ reactions: [group] }), [unreacted('like')], context)
  expect(seen?.reactions).toEqual([{ ...group, count: 1, sumScores: 1, own: false, userIds: ['bob'] }])
})

/** Simulates the server: the fact after this intent was executed. */
const confirm = (fact: Message | undefined, intent: Intent): Message | undefined => {
  const seen = predictMessage(fact, [intent], context)
  return seen === undefined ? undefined : { ...seen, status: 'received' }
}

const aChange = fc.oneof(
  fc.constantFrom('like', 'love', 'wow').map(reacted),
  fc.constantFrom('like', 'love', 'wow').map(unreacted),
  fc
    .constantFrom('one', 'two', 'three')
    .map((text) => anIntent('edit-message', { text, mentionedUserIds: [], editedAt: 3_000 })),
  fc.boolean().map((pinned) => anIntent('pin-message', { pinned, pinnedAt: 4_000 })),
  fc.constant(anIntent('delete-message', { deletedAt: 5_000 })),
)

test('an edit that removes attachments does not remove more from a copy that has lost them already', () => {
  const file = (index: number, title: string) =>
    ({ kind: 'file', index, title, hasMedia: false, hasThumb: false }) as const
  const edit = anIntent('edit-message', { text: 'one', mentionedUserIds: [], editedAt: 3_000, kept: [1] })
  const left = (titles: readonly string[]) =>
    predictMessage(
      aFact({ attachments: titles.map((title, index) => file(index, title)) }),
      [edit],
      context,
    )?.attachments.map(({ title }) => title)
  expect(left(['a', 'b'])).toEqual(['b'])
  expect(left(['b'])).toEqual(['b'])
})

describe('laws', () => {
  test('applying the same intent twice has no further effect', () => {
    fc.assert(
      fc.property(aChange, fc.array(aChange, { maxLength: 6 }), (intent, before) => {
        const fact = before.reduce<Message | undefined>(confirm, aFact())
        const once = predictMessage(fact, [intent], context)
        expect(predictMessage(once, [intent], context)).toBe(once)
      }),
    )
  })

  test('the visible message is the same before the response, after the echo, and after the acknowledgement', () => {
    fc.assert(
      fc.property(fc.array(aChange, { maxLength: 8 }), fc.nat(8), (changes, carriedOut) => {
        const intents = [send(), ...changes]
        const visible = predictMessage(undefined, intents, context)
        const facts = intents.slice(0, carriedOut).reduce<Message | undefined>(confirm, undefined)
        const acknowledged = predictMessage(facts, intents.slice(carriedOut), context)
        expect(strip(acknowledged)).toEqual(strip(visible))
      }),
      { numRuns: 500 },
    )
  })

  test('an echo that arrives before its acknowledgement changes nothing', () => {
    fc.assert(
      fc.property(aChange, (intent) => {
        const before = predictMessage(aFact(), [intent], context)
        const echoed = predictMessage(confirm(aFact(), intent), [intent], context)
        expect(echoed).toEqual(before)
      }),
    )
  })

  test('without intents the visible message is the fact itself', () => {
    const fact = aFact()
    expect(predictMessage(fact, [], context)).toBe(fact)
  })
})

const strip = (message: Message | undefined) => message && { ...message, status: 'received' }

test('an unsent "mark read" moves the mark forward and never back', () => {
  const read = (readAt: number) => anIntent('mark-read', { readAt })
  expect(predictRead({ lastReadAt: 5 }, [read(9)])).toEqual({ lastReadAt: 9 })
  expect(predictRead({ lastReadAt: 5 }, [read(3)])).toEqual({ lastReadAt: 5 })
})

test('unsent replies count in the thread summary', () => {
  const bob = asUserId('bob')
  const reply = send('re') as IntentFor<'send-message'>
  expect(predictThread({ replyCount: 2, lastReplyAt: 500, participantIds: [bob], unread: 1 }, [reply], me)).toEqual({
    replyCount: 3,
    lastReplyAt: 1_000,
    participantIds: [bob, me],
    unread: 1,
  })
})
