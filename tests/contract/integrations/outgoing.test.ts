import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteMessage, sendMessage, sendReaction, updateMessage } from '#shared/wire/messages.ts'
import { queryChannel, updateChannel } from '#shared/wire/channels.ts'
import type { IntegrationEvent } from '#shared/domain/manage/integrations.ts'
import { LeapClock } from '../conformance/leap-clock.ts'
import type { Client, TestServer } from '../kit.ts'
import { act, callsOf, CID, make, ROOM, startProgram, startWorkspace, type Program, type Received } from './program.ts'

const clock = new LeapClock()
let server: TestServer
let ola: Client
let ann: Client
let program: Program
let events = 0
beforeAll(async () => {
  ;({ server, ola, ann } = await startWorkspace({ clock }))
})
beforeEach(async () => {
  const { integrations = [] } = await act(server, { action: 'list' })
  const used = integrations.filter(({ revoked_at: revoked }) => revoked === undefined).map(({ id }) => id)
  if (used.length > 0) await act(server, { action: 'revoke', ids: used })
  program = await startProgram()
  return () => program.stop()
})
afterAll(() => server.stopAll())

const listen = (on: readonly IntegrationEvent[], cid: string | null = CID) =>
  make(server, { kind: 'outgoing', name: 'Ticket desk', url: program.url, cid, events: on })
const say = async (text: string, by = ann): Promise<string> => {
  events += 1
  const id = `said-${events}`
  await by.call(sendMessage, ROOM, { body: { message: { id, text } } })
  return id
}
const bodyOf = (call: Received | undefined) => JSON.parse(call?.body ?? '{}') as Record<string, unknown>
/** Resolves once the newest call of the integration ended like this. */
async function called(id: string, outcome: string): Promise<void> {
  while ((await callsOf(server, id))[0]?.outcome !== outcome) await ola.settle()
}

test('a message is delivered with a signature that its secret explains', async () => {
  const { id, secret } = await listen(['message.new'])
  const messageId = await say('Help with RC2')
  const [call] = await program.got(1)
  expect(bodyOf(call)).toMatchObject({
    type: 'message.new',
    channel: { cid: CID, name: 'builds' },
    message: { id: messageId, text: 'Help with RC2', user: { id: 'ann', name: 'Ann' } },
  })
  const headers: Received['headers'] = call?.headers ?? {}
  const signed = createHmac('sha256', secret)
    .update(`${String(headers['parlor-timestamp'])}.${call?.body ?? ''}`)
    .digest('hex')
  expect(headers['parlor-signature']).toBe(`v1=${signed}`)
  expect(headers['parlor-delivery']).toBe(bodyOf(call)['id'])
  await called(id, 'delivered')
})

test('only the chosen events of the chosen channel are delivered, in their order', async () => {
  await listen(['message.new', 'message.updated', 'message.deleted', 'reaction.new', 'member.added'])
  const OTHER = { type: 'team', id: 'other' }
  await ola.call(queryChannel, OTHER, { body: { data: { members: ['ola', 'ann'] } } })
  await ann.call(sendMessage, OTHER, { body: { message: { text: 'elsewhere' } } })
  const id = await say('one')
  await say('a reply', ola)
  await ola.call(sendReaction, { id }, { body: { reaction: { type: 'like' } } })
  await ann.call(updateMessage, { id }, { body: { message: { id, text: 'two' } } })
  await ola.call(sendMessage, ROOM, { body: { message: { text: 'in the thread', parent_id: id } } })
  await ann.call(deleteMessage, { id }, {})
  await ola.call(updateChannel, ROOM, { body: { add_members: ['ola'] } })
  const calls = await program.got(6)
  expect(calls.map((call) => bodyOf(call)['type'])).toEqual([
    'message.new',
    'message.new',
    'reaction.new',
    'message.updated',
    'message.new',
    'message.deleted',
  ])
  expect(bodyOf(calls[5])['message']).toMatchObject({ id, text: '' })
})

test('what a program wrote is delivered to no program', async () => {
  await listen(['message.new'])
  const hook = await make(server, { kind: 'incoming', name: 'Echo', cid: CID })
  await fetch(hook.secret, { method: 'POST', body: '{"text":"ping"}' })
  await say('by a person')
  const [call] = await program.got(1)
  expect(bodyOf(call)['message']).toMatchObject({ text: 'by a person' })
})

test('every open channel, but none that is private to its members', async () => {
  await listen(['message.new'], null)
  const SECRET_ROOM = { type: 'messaging', id: 'two' }
  await ann.call(queryChannel, SECRET_ROOM, { body: { data: { members: ['ola', 'ann'] } } })
  await ann.call(sendMessage, SECRET_ROOM, { body: { message: { text: 'between us' } } })
  await say('for all')
  const [call] = await program.got(1)
  expect(bodyOf(call)['message']).toMatchObject({ text: 'for all' })
  expect(program.received).toHaveLength(1)
})

test('a failed delivery is tried again with growing delays, keeps its id, and holds back the later ones', async () => {
  program.answer = (response) => response.writeHead(500).end()
  const { id } = await listen(['message.new'])
  await say('first')
  await say('second')
  await program.got(1)
  await called(id, 'refused')
  const waiting = (await act(server, { action: 'list' })).integrations?.find((each) => each.id === id)?.waiting
  expect(waiting).toMatchObject({ count: 2, tries: 1, of: 8 })
  clock.leap(9_000)
  expect(program.received).toHaveLength(1)
  clock.leap(2_000)
  await program.got(2)
  await called(id, 'refused')
  clock.leap(50_000)
  expect(program.received).toHaveLength(2)
  program.answer = (response) => response.end()
  clock.leap(12_000)
  const calls = await program.got(4)
  expect(calls.map((call) => (bodyOf(call)['message'] as { text: string }).text)).toEqual([
    'first',
    'first',
    'first',
    'second',
  ])
  expect(new Set(calls.slice(0, 3).map(({ headers }) => headers['parlor-delivery'])).size).toBe(1)
  await called(id, 'delivered')
})

test('the owner need not wait for the next try', async () => {
  program.answer = (response) => response.writeHead(503).end()
  const { id } = await listen(['message.new'])
  await say('now')
  await called(id, 'refused')
  program.answer = (response) => response.end()
  await act(server, { action: 'retry', id })
  await called(id, 'delivered')
  expect(program.received).toHaveLength(2)
})

test('an event that never arrives is given up after eight tries, and the next one is sent', async () => {
  program.answer = (response, { body }) => response.writeHead(body.includes('poison') ? 400 : 200).end()
  const { id } = await listen(['message.new'])
  await say('poison')
  await say('food')
  for (let tries = 1; tries <= 8; tries += 1) {
    await program.got(tries)
    await called(id, tries < 8 ? 'refused' : 'delivered')
    if (tries < 8) await act(server, { action: 'retry', id })
  }
  const calls = await program.got(9)
  expect((bodyOf(calls[8])['message'] as { text: string }).text).toBe('food')
  const outcomes = (await callsOf(server, id)).map(({ outcome }) => outcome)
  expect(outcomes.slice(0, 3)).toEqual(['delivered', 'dropped', 'refused'])
})

const ENDINGS: readonly (readonly [string, Program['answer'], string])[] = [
  [
    'a redirect is not followed',
    (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    'redirect',
  ],
  ['a huge answer is not read', (response) => response.end('x'.repeat(200_000)), 'too-big'],
  ['a connection that breaks', (response) => response.destroy(), 'unreachable'],
]

test.each(ENDINGS)('%s', async (_name, answer, outcome) => {
  program.answer = answer
  const { id } = await listen(['message.new'])
  const { test: result } = await act(server, { action: 'test', id, text: 'x' })
  expect(result?.outcome).toBe(outcome)
})

test('a program that does not answer is left after five seconds', async () => {
  program.answer = () => undefined
  const { id } = await listen(['message.new'])
  const tested = act(server, { action: 'test', id, text: 'x' })
  await program.got(1)
  clock.leap(5_000)
  expect((await tested).test?.outcome).toBe('timeout')
})

test('a new secret is never in a list of calls, and a revoked one is called no more', async () => {
  const { id, secret } = await listen(['message.new'])
  await act(server, { action: 'test', id, text: 'x' })
  expect(JSON.stringify(await callsOf(server, id))).not.toContain(secret)
  await act(server, { action: 'revoke', ids: [id] })
  await say('unheard')
  await ola.settle()
  expect(program.received.map((call) => bodyOf(call)['type'])).toEqual(['test'])
})

const ADDRESSES = [
  'ftp://127.0.0.1/x',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data',
  'http://[fe80::1]/x',
  'http://[::ffff:169.254.169.254]/x',
  'http://0.0.0.0/x',
  'http://224.0.0.1/x',
  'http://100.100.100.200/x',
  'http://user:word@127.0.0.1/x',
  'javascript:alert(1)',
  'no address',
]

test.each(ADDRESSES)('%s is refused', async (url) => {
  const made = await act(server, {
    action: 'create',
    kind: 'outgoing',
    name: 'x',
    url,
    cid: CID,
    events: ['message.new'],
  })
  expect(made).toMatchObject({ status: 400, exception_fields: { url: 'address' } })
  expect((await act(server, { action: 'probe', kind: 'command', url })).status).toBe(400)
})

test('an address is tried before anything is made', async () => {
  program.answer = (response) => response.end('Ready.')
  const { test: result } = await act(server, { action: 'probe', kind: 'command', url: program.url })
  expect(result).toMatchObject({ outcome: 'answered', status: 200, answer: 'Ready.' })
})
