import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { contract, type EngineClient } from '#shared/bridge/index.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import type { Message } from '#shared/domain/message.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid, asMessageId, type MessageId } from '#shared/lib/brand.ts'
import { openAccount, type Account } from '#main/app/accounts/account.ts'
import { createDispatch, type AnyArea } from '#main/bridge/dispatch.ts'
import { createEngine } from '#main/engine/engine.ts'
import { nodeFiles, nodeSockets, nodeHttp } from '#main/hosts/node/ports.ts'
import { systemClock } from '#main/lib/clock.ts'
import { systemIds } from '#main/lib/ids.ts'
import type { LogSink } from '#main/lib/logger.ts'
import { createToken } from '#main/server/http/auth/identify.ts'
import { startSecondServer, type SecondServer } from '#kit/second-server.ts'
import { Replica } from '#kit/sim/replica.ts'
import { aMemoryFolder } from '#kit/stores.ts'

/** A whole account over real loopback sockets, with a server that follows the contract but is not the one of Parlor. */
let server: SecondServer
let account: Account
let replica: Replica
const errors: string[] = []
const WINDOW = { id: 'w1', push: () => undefined }

beforeEach(async () => {
  errors.length = 0
  server = await startSecondServer('eva')
  const log: LogSink = (level, area, event, fields) =>
    void (level === 'error' && errors.push(`${area} ${event} ${JSON.stringify(fields)}`))
  const folder = aMemoryFolder()
  const ports = {
    clock: systemClock,
    ids: systemIds,
    http: nodeHttp(),
    sockets: nodeSockets(),
    files: nodeFiles(),
    log,
  }
  account = openAccount({
    ref: { kind: 'hosted', url: server.url, apiKey: 'a-key', userId: 'eva' },
    host: { paths: { data: folder, renderer: folder, resources: folder, notices: '' }, ports, log },
    openEngine: createEngine,
    workspace: undefined,
    credential: createToken({ userId: 'eva' }, 'a secret that only the second server knows'),
    apiKey: 'a-key',
    settings: DEFAULT_SETTINGS,
    installId: undefined,
    onInstallId: () => undefined,
  })
  replica = new Replica()
  account.engine.onCommitted((commit) => {
    const changes = commit.changes.get(WINDOW.id)
    if (changes) replica.apply(changes)
  })
  replica.apply(account.engine.attach(WINDOW.id, {}))
})
afterEach(async () => {
  await account.stop()
  await server.stop()
})

let tick = 0
const ui = new Proxy({} as EngineClient, {
  get: (_target, area) =>
    new Proxy({}, { get: (_inner, name) => (input: unknown) => call(`${String(area)}.${String(name)}`, input) }),
})

async function call(name: string, input: unknown): Promise<unknown> {
  const dispatch = createDispatch({
    contract,
    clock: { monotonic: () => (tick += 1_000) },
    log: (_level, _area, event, fields) => void errors.push(`${event} ${JSON.stringify(fields)}`),
  })
  dispatch.serve({
    handlersFor: (_window, area) => ({
      handlers: (account.engine.handlers as unknown as Record<string, AnyArea>)[area] ?? {},
      context: { client: WINDOW.id },
    }),
  })
  const reply = await dispatch.call(WINDOW, name, input)
  if (reply.ok) return reply.value
  throw new AppError(reply.error.code)
}

const messagesOf = (key: string): Message[] =>
  (replica.window(key)?.ids ?? []).flatMap((id) => replica.get('messages', id) ?? [])
const texts = (key: string): string[] =>
  messagesOf(key).map(({ text, status }) => (status === 'received' ? text : `${text} (${status})`))
const message = (id: string): Message | undefined => replica.get('messages', id)

const until = (look: () => unknown, wanted: unknown): Promise<void> =>
  vi.waitFor(() => expect(look()).toEqual(wanted), { timeout: 10_000, interval: 20 })

async function opened(): Promise<{
  readonly timeline: string
  send: (text: string, parentId?: MessageId) => Promise<MessageId>
}> {
  const cid = asCid(server.cid)
  await until(() => replica.get('channels', cid)?.name, 'Lobby')
  await ui.channels.open({ cid })
  const more = { showInChannel: false, mentionedUserIds: [], uploadIds: [], whenReady: false }
  return {
    timeline: `timeline:${cid}`,
    send: async (text, parentId) => asMessageId(await ui.messages.send({ cid, text, ...more, parentId })),
  }
}

test('signs in, lists, opens, reads, sends, edits, reacts and deletes', async () => {
  server.send('before you came')
  const { timeline, send } = await opened()
  await until(() => texts(timeline), ['before you came'])
  const id = await send('hello')
  await until(() => texts(timeline), ['before you came', 'hello'])
  const hi = server.send('hi Eva')
  await until(() => texts(timeline), ['before you came', 'hello', 'hi Eva'])
  await ui.messages.edit({ messageId: id, text: 'hello, Otto', mentionedUserIds: [] })
  await until(() => [message(id)?.text, server.message(id)?.['text']], ['hello, Otto', 'hello, Otto'])
  const reactions = () => [
    message(id)?.reactions.map(({ type, count, own }) => [type, count, own]),
    (server.message(id)?.['given'] as unknown[] | undefined)?.length,
  ]
  await ui.messages.toggleReaction({ messageId: id, type: 'like' })
  await until(reactions, [[['like', 1, true]], 1])
  await ui.messages.toggleReaction({ messageId: id, type: 'like' })
  await until(reactions, [[], 0])
  await ui.channels.markRead({ cid: asCid(server.cid) })
  await until(() => server.readUpTo(), hi)
  await ui.messages.delete({ messageId: id })
  await until(() => server.message(id)?.['type'], 'deleted')
  expect(errors).toEqual([])
})

test('replies in a thread, and lists it', async () => {
  const parent = asMessageId(server.send('a question'))
  const { timeline, send } = await opened()
  await until(() => texts(timeline), ['a question'])
  await ui.threads.open({ cid: asCid(server.cid), parentId: parent })
  await send('an answer', parent)
  await until(() => texts(`thread:${parent}`), ['an answer'])
  server.send('thanks', { parent_id: parent })
  await until(() => texts(`thread:${parent}`), ['an answer', 'thanks'])
  await until(() => message(parent)?.thread?.replyCount, 2)
  await ui.threads.openInbox()
  await until(() => replica.window('threads')?.ids, [parent])
  expect(errors).toEqual([])
})

test('creates a poll, and votes', async () => {
  const { timeline } = await opened()
  const messageId = await ui.polls.create({
    cid: asCid(server.cid),
    name: 'Lunch?',
    options: ['Soup', 'Salad'],
    enforceUniqueVote: true,
    anonymous: false,
    allowSuggestions: false,
    allowAnswers: false,
  })
  await until(() => message(messageId)?.status, 'received')
  const poll = () => replica.all('polls')[0]
  await until(() => poll()?.options.map(({ text }) => text), ['Soup', 'Salad'])
  await ui.polls.castVote({ messageId, optionId: poll()?.options[1]?.id ?? '' })
  await until(() => poll()?.voteCount, 1)
  expect(texts(timeline).length).toBe(1)
  expect(errors).toEqual([])
  expect(server.unknown).toEqual([])
})

test('finds messages by text, and rings a reminder', async () => {
  const id = asMessageId(server.send('the needle in the hay'))
  server.send('only hay')
  await opened()
  await until(() => message(id)?.text, 'the needle in the hay')
  const found = await ui.search.messages({ text: 'needle', limit: 20, ask: 'server' })
  expect(JSON.stringify(found)).toContain(id)
  expect(JSON.stringify(found)).not.toContain('only hay')
  await ui.reminders.set({ messageId: id, remindAt: Date.parse('2040-01-01T00:00:00Z') })
  await until(
    () => replica.all('reminders').map(({ messageId, remindAt }) => [messageId, remindAt]),
    [[id, Date.parse('2040-01-01T00:00:00Z')]],
  )
  await ui.reminders.remove({ messageId: id })
  await until(() => replica.all('reminders'), [])
  expect(errors).toEqual([])
})

test('loses the connection and comes back with the messages written meanwhile', { timeout: 20_000 }, async () => {
  const { timeline, send } = await opened()
  await send('one')
  await until(() => texts(timeline), ['one'])
  server.cut()
  server.send('two')
  await send('three')
  await until(() => texts(timeline).toSorted(), ['one', 'three', 'two'])
  expect(errors).toEqual([])
})
