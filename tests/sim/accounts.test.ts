import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { ChangeSet } from '#shared/domain/changes.ts'
import { accountFolder, accountKey } from '#main/app/accounts/account.ts'
import type { Composed } from '#main/app/launch-options.ts'
import { compose } from '#main/app/compose.ts'
import type { FakeCall } from '#kit/fake-http.ts'
import { FakeHost, type FakeWindow } from '#kit/fake-host.ts'
import type { FakeSocket } from '#kit/fake-sockets.ts'
import { aWireChannelState, aWireMessage, aWireUser, at } from '#kit/lone-engine.ts'
import { PATIENCE_MS, replayLine, seedsOf, type Amount } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'

/**
 * Ten users sign in to one profile, switch between each other and sign out in any order, and no one sees data of
 * another.
 */
const PEOPLE = Array.from({ length: 10 }, (_, index) => `p${index}`)
const URL = 'https://chat.example'
const STEPS = 6
/** Each sequence opens and closes real databases. */
const SEQUENCES: Amount = { fixed: 12, fresh: 8, long: 1_000, share: 0.04 }

let host: FakeHost
let composed: Composed | undefined
afterEach(async () => {
  const stopping = composed?.stop()
  await host.clock.advance(3_000)
  await stopping
  host.dispose()
})

const tokenOf = (userId: string): string =>
  `e30.${Buffer.from(JSON.stringify({ user_id: userId })).toString('base64url')}.sig`
const secretOf = (userId: string, n: number | string): string => `secret-of-${userId} ${n}`
/** The same channel id for everyone, so that only the account separates the rows. */
const CID = 'team:general'
const refOf = (userId: string) => ({ kind: 'hosted', url: URL, apiKey: 'K', userId }) as const
const folderOf = (userId: string): string => accountFolder(host.data, accountKey(refOf(userId)))

function channelOf({ at: address }: FakeCall): Record<string, unknown> {
  const userId = address.searchParams.get('user_id') ?? ''
  const message = {
    ...aWireMessage(`first-${userId}`, 1, { text: secretOf(userId, 'first') }),
    user: aWireUser(userId),
  }
  const me = { user_id: userId, user: aWireUser(userId), created_at: at(-1e6), updated_at: at(-1e6) }
  return { ...aWireChannelState([message]), members: [me], membership: me, read: [] }
}

async function createProfile(): Promise<FakeWindow> {
  host = new FakeHost()
  host.http
    .on('GET', '/app', { body: { app: { name: 'x' } } })
    .on('POST', '/channels', (call) => ({ body: { channels: [channelOf(call)] } }))
    .on('POST', '/channels/:type/:id/query', (call) => ({ body: channelOf(call) }))
    .on('POST', '/sync', { body: { events: [] } })
    .on('POST', '/channels/:type/:id/message', (call) => {
      const { id, text } = (call.json as { message: { id: string; text: string } }).message
      const user = aWireUser(call.at.searchParams.get('user_id') ?? '')
      return { body: { message: { ...aWireMessage(id, 1e6, { text }), user } } }
    })
  composed = await compose(host.host, host.dispatch, {})
  await host.clock.settle()
  const window = host.window()
  await call(window, 'app.attach')
  await call(window, 'session.signOut', { wipe: true })
  return window
}

/** The calls use the real disk, whose results come with turns of the event loop and not with the manual clock. */
const call = async (window: FakeWindow, name: string, input: unknown = {}) => {
  const answer = { isThere: false }
  const reply = window.call(name, input).finally(() => (answer.isThere = true))
  while (!answer.isThere) {
    await host.clock.advance(20)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await host.clock.advance(1_500)
  return reply
}

/** Whose texts are in the files. */
const authorsIn = (value: unknown): string[] => [
  ...new Set([...JSON.stringify(value ?? null).matchAll(/secret-of-(p\d+)/g)].map(([, userId = '']) => userId)),
]

/** `people`: the signed-in users, in the order of the rail. */
type Session = {
  current: string | undefined
  people: readonly string[]
  count: number
  readonly sockets: { userId: string; socket: FakeSocket }[]
}

const newSession = (): Session => ({ current: undefined, people: [], count: 0, sockets: [] })

/** All that the window was shown since it attached belongs to signed-in users. */
async function look(window: FakeWindow, session: Session): Promise<string[]> {
  window.pushes.length = 0
  const reply = await call(window, 'app.attach', { lastChannel: CID })
  const snapshot = reply.ok ? (reply.value as ChangeSet) : undefined
  if (session.current !== undefined) await call(window, 'channels.open', { cid: CID })
  const seen = [...new Set([...authorsIn(snapshot), ...authorsIn(window.pushes)])]
  const wrong = seen.filter((userId) => userId !== session.current)
  const missing = session.current !== undefined && !seen.includes(session.current)
  return [
    ...wrong.map((userId) => `${session.current ?? 'the signed-out window'} sees texts of ${userId}`),
    ...(missing ? [`${session.current} does not see their own texts`] : []),
  ]
}

async function signIn(window: FakeWindow, session: Session, userId: string): Promise<void> {
  const before = host.sockets.all.length
  const reply = await call(window, 'session.connectHosted', { url: URL, apiKey: 'K', token: tokenOf(userId) })
  if (!reply.ok) throw new Error(reply.error.code)
  session.current = userId
  if (!session.people.includes(userId)) session.people = [...session.people, userId]
  // A connection that the app gave up meanwhile is not accepted anymore.
  for (const socket of host.sockets.all.slice(before).filter(({ state }) => state === 'opening')) {
    // Another account may be reconnecting meanwhile: the token says whose connection it is.
    const whose = PEOPLE.find((each) => socket.query.get('authorization') === tokenOf(each)) ?? userId
    socket.accept({ id: whose }, `connection-${session.count}`)
    session.sockets.push({ userId: whose, socket })
  }
  await host.clock.advance(1_500)
}

async function act(window: FakeWindow, session: Session, random: () => number): Promise<string[]> {
  const faults: string[] = []
  const dice = random()
  session.count += 1
  if (dice < 0.3 || session.current === undefined)
    await signIn(window, session, PEOPLE[Math.floor(random() * PEOPLE.length)] ?? '')
  else if (dice < 0.45) {
    const userId = session.people[Math.floor(random() * session.people.length)] ?? ''
    await call(window, 'session.show', { key: accountKey(refOf(userId)) })
    session.current = userId
  } else if (dice < 0.58)
    await call(window, 'messages.send', { cid: CID, text: secretOf(session.current, session.count) })
  else if (dice < 0.75) {
    // An event may arrive on any connection, also on that of a user who has signed out.
    for (const { userId, socket } of session.sockets.slice(-3)) {
      const message = aWireMessage(`received-${userId}-${session.count}`, session.count * 1_000, {
        text: secretOf(userId, session.count),
      })
      socket.frame({ type: 'message.new', cid: CID, created_at: at(session.count * 1_000), message })
    }
    await host.clock.advance(500)
  } else if (dice < 0.85) host.sockets.all.at(-1)?.end()
  else {
    const wipe = random() < 0.5
    const userId = session.current
    await call(window, 'session.signOut', { wipe })
    const at = session.people.indexOf(userId)
    session.current = session.people[at + 1] ?? session.people[at - 1]
    session.people = session.people.filter((each) => each !== userId)
    if (existsSync(folderOf(userId)) === wipe) faults.push(`${userId}: wiped ${wipe}, and the folder says otherwise`)
  }
  return [...faults, ...(await look(window, session))]
}

test(
  'in any order of signing in, signing out and switching, no one sees a row of another',
  { timeout: PATIENCE_MS },
  async () => {
    const window = await createProfile()
    const session = newSession()
    const faults: string[] = []
    for (const seed of seedsOf('people signing in to and out of one profile', SEQUENCES)) {
      if (faults.length > 0) break
      const ids = seededIds(seed * 101)
      for (let step = 0; step < STEPS; step += 1)
        faults.push(
          ...(await act(window, session, () => ids.random())).map(
            (fault) => `${replayLine('accounts', seed)}: ${fault}`,
          ),
        )
    }
    expect(faults).toEqual([])
    const left = readdirSync(join(host.data, 'accounts'))
    expect(left.length).toBe(new Set(left).size)
    expect(host.sockets.live.length).toBeLessThanOrEqual(session.people.length)
  },
)

test('the same sign-in twice is one engine, and a token without a user is refused with the text of the contract', async () => {
  const window = await createProfile()
  const session = newSession()
  await signIn(window, session, 'p1')
  await Promise.all(
    [1, 2, 3].map(() => call(window, 'session.connectHosted', { url: URL, apiKey: 'K', token: tokenOf('p1') })),
  )
  expect(host.sockets.live.length).toBe(1)
  const token = `e30.${Buffer.from('{}').toString('base64url')}.sig`
  const reply = await call(window, 'session.connectHosted', { url: URL, apiKey: 'K', token })
  expect(reply).toMatchObject({ ok: false, error: { code: 'session/token-mismatch' } })
  expect(await look(window, session)).toEqual([])
})
