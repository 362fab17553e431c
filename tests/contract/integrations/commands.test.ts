import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createCommand, updateCommand } from '#shared/wire/admin.ts'
import { queryChannel } from '#shared/wire/channels.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import { LeapClock } from '../conformance/leap-clock.ts'
import type { Client, TestServer } from '../kit.ts'
import { act, asServer, callsOf, json, make, ROOM, startProgram, startWorkspace, type Program } from './program.ts'

const clock = new LeapClock()
let server: TestServer
let ola: Client
let ann: Client
let program: Program
let command: { readonly id: string; readonly secret: string }
beforeAll(async () => {
  ;({ server, ola, ann } = await startWorkspace({ clock }))
})
beforeEach(async () => {
  program = await startProgram()
  command = await make(server, {
    kind: 'command',
    name: 'Deploy bot',
    command: 'deploy',
    url: program.url,
    hint: 'Start a deployment: /deploy staging',
  })
  return async () => {
    await act(server, { action: 'revoke', ids: [command.id] })
    await program.stop()
  }
})
afterAll(() => server.stopAll())

const send = async (text: string, by = ann, id?: string) =>
  (await by.call(sendMessage, ROOM, { body: { message: { text, ...(id === undefined ? {} : { id }) } } })).body.message

const newOf = async (client: Client, text: string) => {
  await client.settle()
  return client.events.filter(({ type, message }) => {
    return type === 'message.new' && (message as { text?: string }).text === text
  })
}

test('the program gets who asks, where and what, and its answer is for them alone', async () => {
  program.answer = (response) => json(response, { text: 'Deploying *staging*.' })
  const message = await send('/deploy staging')
  expect(message).toMatchObject({
    type: 'ephemeral',
    text: '**Deploy bot**: Deploying **staging**.',
    command: 'deploy',
  })
  expect(JSON.parse(program.received[0]?.body ?? '')).toMatchObject({
    type: 'command',
    command: '/deploy',
    text: 'staging',
    user: { id: 'ann', name: 'Ann' },
    channel: { cid: 'team:builds', name: 'builds' },
  })
  await ola.settle()
  expect(ola.events.filter(({ message: other }) => JSON.stringify(other ?? '').includes('Deploying'))).toEqual([])
})

test('an answer for the channel is posted by the program, and the sender sees what they sent', async () => {
  program.answer = (response) => json(response, { response_type: 'in_channel', text: 'Staging is live' })
  const message = await send('/deploy staging')
  expect(message).toMatchObject({ type: 'ephemeral', text: '/deploy staging' })
  const [event] = await newOf(ola, 'Staging is live')
  expect(event?.['message']).toMatchObject({ user: { name: 'Deploy bot', bot: true } })
})

test('plain text is an answer too, and so is none', async () => {
  program.answer = (response) => response.end('Ready.')
  expect((await send('/deploy')).text).toBe('**Deploy bot**: Ready.')
  program.answer = (response) => response.end()
  expect((await send('/deploy now')).text).toBe('/deploy now')
})

test('a program that is paused while it thinks posts nothing in the channel', async () => {
  const asked = Promise.withResolvers<() => void>()
  program.answer = (response) =>
    asked.resolve(() => json(response, { response_type: 'in_channel', text: 'Too late for all' }))
  const sent = send('/deploy')
  const answer = await asked.promise
  await act(server, { action: 'pause', ids: [command.id], paused: true })
  answer()
  expect((await sent).type).toBe('error')
  expect(await newOf(ola, 'Too late for all')).toEqual([])
  expect((await callsOf(server, command.id))[0]?.outcome).toBe('paused')
})

test('each message has an id of its own for the program, which a repeated one keeps', async () => {
  program.answer = (response) => response.end('Ready.')
  await send('/deploy', ann, 'kept-one')
  await send('/deploy', ann, 'kept-two')
  const ids = program.received.map(({ headers }) => headers['parlor-delivery'])
  expect(ids).toEqual(
    ['kept-one', 'kept-two'].map((id) =>
      createHash('sha256').update(`${command.id} ann ${id}`).digest('hex').slice(0, 32),
    ),
  )
})

test('a command whose name another one has taken meanwhile stays paused', async () => {
  await act(server, { action: 'pause', ids: [command.id], paused: true })
  const other = await make(server, { kind: 'command', name: 'Other', command: 'deploy', url: program.url })
  const resumed = await act(server, { action: 'pause', ids: [command.id], paused: false })
  expect(resumed).toMatchObject({ status: 400, exception_fields: { command: 'taken' } })
  await act(server, { action: 'revoke', ids: [other.id] })
  expect((await act(server, { action: 'pause', ids: [command.id], paused: false })).status).toBe(201)
})

test('a message that is sent again calls the program once', async () => {
  program.answer = (response) => response.end('Ready.')
  const first = await send('/deploy', ann, 'the-same')
  expect(await send('/deploy', ann, 'the-same')).toEqual(first)
  expect(program.received).toHaveLength(1)
  await send('/deploy', ola, 'the-same')
  expect(program.received).toHaveLength(2)
})

test.each([
  ['refuses', (response) => response.writeHead(500).end(), 'refused'],
  ['answers with something else', (response) => json(response, { text: { a: 1 } }), 'bad-request'],
  [
    'answers with broken JSON',
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
    'bad-request',
  ],
  ['sends too much', (response) => response.end('x'.repeat(100_000)), 'too-big'],
] as const satisfies readonly (readonly [string, Program['answer'], string])[])(
  'a program that %s is said to the sender alone',
  async (_name, answer, outcome) => {
    program.answer = answer
    expect((await send('/deploy')).type).toBe('error')
    expect((await callsOf(server, command.id))[0]).toMatchObject({ outcome, what: '/deploy' })
  },
)

test('a program that hangs is left, and the server goes on', async () => {
  program.answer = () => undefined
  const sent = send('/deploy')
  await program.got(1)
  expect((await send('an ordinary message', ola)).type).toBe('regular')
  clock.leap(5_000)
  expect((await sent).type).toBe('error')
})

test('channels offer the command with the name of its program, until it is paused or revoked', async () => {
  const offered = async () =>
    (await ann.call(queryChannel, ROOM, { body: {} })).body.channel.config?.commands?.find(
      (each) => typeof each === 'object' && each.name === 'deploy',
    )
  expect(await offered()).toMatchObject({ description: 'Start a deployment: /deploy staging', program: 'Deploy bot' })
  expect(await ann.takeEventTypes()).toContain('app.updated')
  await act(server, { action: 'pause', ids: [command.id], paused: true })
  expect(await offered()).toBeUndefined()
  expect((await send('/deploy')).type).toBe('regular')
})

test.each(['deploy', 'poll', 'giphy', 'mute', 'remind'])('the name %s is taken', async (name) => {
  const made = await act(server, { action: 'create', kind: 'command', name: 'x', command: name, url: program.url })
  expect(made).toMatchObject({ status: 400, exception_fields: { command: 'taken' } })
})

test.each(['Deploy', 'de ploy', '/x', '', 'x'.repeat(33)])('%j is no name of a command', async (name) => {
  const made = await act(server, { action: 'create', kind: 'command', name: 'x', command: name, url: program.url })
  expect(made.status).toBe(400)
})

test('a command of the contract cannot take the name of a program’s', async () => {
  expect(await asServer(server, createCommand.path, { name: 'deploy', description: 'x' })).toBe(400)
})

test('a command of a program is not changed as one of the contract', async () => {
  const path = updateCommand.path.replace(':name', 'deploy')
  expect(await asServer(server, path, { description: 'Mine' }, 'PUT')).toBe(400)
})

test('whoever may not write may not use a command either', async () => {
  await server.connect('eve')
  const eve = await server.connect('eve')
  const sent = await eve.call(
    sendMessage,
    { type: 'messaging', id: 'none' },
    { body: { message: { text: '/deploy' } } },
  )
  expect(sent.status).toBe(404)
  expect(program.received).toHaveLength(0)
})
