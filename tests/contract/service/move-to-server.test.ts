import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import { queryChannel } from '#shared/wire/channels.ts'
import { getReplies, sendMessage, sendReaction } from '#shared/wire/messages.ts'
import { upsertUsers } from '#shared/wire/app.ts'
import { createToken } from '#main/server/http/auth/identify.ts'
import { moveTo, type MoveReport } from '#main/server/command-line/move.ts'
import { API_KEY, callAs, SECRET, startTestServer, tokenOf, type TestServer } from '../kit.ts'
import { ending, newFolder } from './service.ts'

/** Moving a workspace to another server of the contract: two servers of ours, and what may happen on the way. */

const TEAM = { type: 'team', id: 'plans' }
const NOTES = Buffer.from('just some words in a file, '.repeat(5_000))
const servers: TestServer[] = []
afterAll(async () => {
  for (const server of servers) await server.stopAll()
})

/** The folder of a workspace that has stopped. */
async function workspace(): Promise<string> {
  const folder = newFolder()
  const server = await startTestServer({ dataFolder: folder })
  const people = { ann: { id: 'ann', name: 'Ann', role: 'admin', title: 'Owner' }, ben: { id: 'ben', name: 'Ben' } }
  const root = { userId: 'ann', token: createToken({}, SECRET) }
  await callAs(server.url, root, upsertUsers, {}, { body: { users: people } })
  const [ann, ben] = [await server.connect('ann'), await server.connect('ben')]
  await ann.call(queryChannel, TEAM, { body: { data: { name: 'Plans', members: ['ann', 'ben'], topic: 'next year' } } })
  const file = await upload(server.url)
  const attachments = [{ type: 'file', title: 'notes.txt', asset_url: file }]
  await ann.call(sendMessage, TEAM, { body: { message: { id: 'm1', text: 'first', attachments, pinned: true } } })
  await ben.call(sendMessage, TEAM, { body: { message: { id: 'm2', text: 'reply', parent_id: 'm1' } } })
  await ben.call(sendMessage, TEAM, { body: { message: { id: 'm3', text: 'second', quoted_message_id: 'm1' } } })
  await ben.call(sendReaction, { id: 'm1' }, { body: { reaction: { type: 'like' } } })
  await server.stopAll()
  return folder
}

async function upload(url: string): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(NOTES)], { type: 'text/plain' }), 'notes.txt')
  const answer = await fetch(`${url}/channels/team/plans/file?api_key=${API_KEY}`, {
    method: 'POST',
    headers: { authorization: tokenOf('ann'), 'stream-auth-type': 'jwt' },
    body: form,
  })
  return ((await answer.json()) as { file: string }).file
}

let from: string
let there: TestServer
beforeEach(async () => {
  from = await workspace()
  there = await startTestServer()
  servers.push(there)
})

type Request = (url: string, init: RequestInit) => Promise<Response>

/** Time passes at once; the pauses are written down. */
function hurriedClock(pauses: number[] = []) {
  const clock = new ManualClock(Date.now())
  const after = (ms: number, run: () => void) => {
    pauses.push(ms)
    queueMicrotask(run)
    return () => undefined
  }
  return { now: () => clock.now(), after }
}

const move = (request: Request = fetch, pauses: number[] = [], dryRun = false): Promise<MoveReport> =>
  moveTo(
    { dataFolder: from, url: there.url, apiKey: API_KEY, secret: SECRET, dryRun },
    { request, clock: hurriedClock(pauses) },
  )

async function seenThere() {
  const { body } = await callAs(there.url, { userId: 'ben' }, queryChannel, TEAM, {
    body: { messages: { limit: 100 }, members: { limit: 100 } },
  })
  const replies = await callAs(there.url, { userId: 'ben' }, getReplies, { id: 'm1' })
  const { channel, messages, members } = body
  return { channel, messages: messages ?? [], members: members ?? [], replies: replies.body.messages ?? [] }
}

const ALL = { user: 2, member: 2, file: 1, channel: 1, message: 3, reaction: 1 }

describe('a workspace that moves to another server', () => {
  test('is there with people, members, messages, threads, quotes, pins, reactions and files', async () => {
    const { moved, refused } = await move()
    const { channel, messages, members, replies } = await seenThere()
    const [first, second] = messages
    const [attachment] = first?.attachments ?? []
    const file = await fetch(String(attachment?.['asset_url']))
    const bytes = Buffer.from(await file.arrayBuffer())

    expect(refused).toEqual([])
    expect(Object.fromEntries(moved)).toEqual(ALL)
    expect(channel).toMatchObject({ name: 'Plans', topic: 'next year', created_by: { id: 'ann', title: 'Owner' } })
    expect(new Set(members.map(({ user_id: id }) => id))).toEqual(new Set(['ann', 'ben']))
    expect(first).toMatchObject({ id: 'm1', text: 'first', pinned: true, user: { id: 'ann' }, reply_count: 1 })
    expect(first?.reaction_counts).toEqual({ like: 1 })
    expect(Date.parse(String(first?.['moved_sent_at']))).toBeLessThan(Date.parse(first?.created_at ?? ''))
    expect(second).toMatchObject({ id: 'm3', quoted_message_id: 'm1', user: { id: 'ben' } })
    expect(replies).toMatchObject([{ id: 'm2', parent_id: 'm1' }])
    expect(bytes.equals(NOTES)).toBe(true)
  })

  test('goes on where it was killed, and doubles nothing, wherever that was', async () => {
    let left = 0
    const dying: Request = async (url, init) => {
      // The answer of the last call is lost: it was carried out, and nobody has noted it.
      const response = await fetch(url, init)
      left -= 1
      if (left < 0) throw new Error('killed')
      return response
    }
    const ends: string[] = []
    for (let calls = 1; calls < 12; calls += 1) {
      left = calls
      await move(dying).catch((error: unknown) => void ends.push((error as Error).message))
    }
    const { moved, refused } = await move()
    const { messages, replies, members } = await seenThere()

    expect(ends.length).toBeGreaterThan(2)
    expect(refused).toEqual([])
    expect(moved.get('message')).toBe(3)
    expect(messages.map(({ id }) => id)).toEqual(['m1', 'm3'])
    expect(replies.map(({ id }) => id)).toEqual(['m2'])
    expect(messages[0]?.reaction_counts).toEqual({ like: 1 })
    expect(members).toHaveLength(2)
  })

  test('waits as long as the server says, and tries again', async () => {
    const pauses: number[] = []
    const seen = new Set<string>()
    const busy: Request = (url, init) => {
      const { pathname } = new URL(url)
      if (!pathname.endsWith('/message') || seen.has(pathname)) return fetch(url, init)
      seen.add(pathname)
      return Promise.resolve(new Response('{}', { status: 429, headers: { 'retry-after': '7' } }))
    }
    const { refused } = await move(busy, pauses)

    expect(refused).toEqual([])
    expect(pauses).toEqual([7_000])
  })

  test('reports what the server does not take, and goes on', async () => {
    const picky: Request = (url, init) =>
      typeof init.body === 'string' && init.body.includes('"second"')
        ? Promise.resolve(Response.json({ code: 4, message: 'no second message here' }, { status: 400 }))
        : fetch(url, init)
    const { moved, refused } = await move(picky)

    expect(refused).toEqual(['message m3: no second message here'])
    expect(moved.get('message')).toBe(2)
    expect((await move()).refused).toEqual([])
  })

  test('writes nothing when it is only tried, and says what it would do', async () => {
    const calls: string[] = []
    const { moved } = await move((url, init) => (calls.push(String(init.method)), fetch(url, init)), [], true)

    expect(calls).toEqual(['GET'])
    expect(moved.get('message')).toBe(3)
    expect(moved.get('upload')).toBe(1)
  })

  test('a wrong secret, another target than before and a server that is off are said in one line', async () => {
    await move()
    const other = { dataFolder: from, url: 'http://127.0.0.1:9', apiKey: API_KEY, secret: SECRET, dryRun: false }
    const ports = { request: fetch, clock: hurriedClock() }

    await expect(moveTo({ ...other, url: there.url, secret: 'x'.repeat(40) }, ports)).rejects.toThrow(
      'refused the key or the secret',
    )
    await expect(moveTo(other, ports)).rejects.toThrow('does not answer')
    await expect(
      moveTo({ ...other, url: 'http://127.0.0.1:9' }, { ...ports, request: () => Promise.resolve(Response.json({})) }),
    ).rejects.toThrow(`is of a move to ${there.url}`)
    await expect(
      moveTo(
        { ...other, url: there.url, apiKey: 'another-app' },
        { ...ports, request: () => Promise.resolve(Response.json({})) },
      ),
    ).rejects.toThrow(`is of a move to ${there.url}`)
  })

  test('is a command of the server program', async () => {
    const secretFile = join(newFolder(), 'secret')
    writeFileSync(secretFile, `${SECRET}\n`)
    const words = ['move', '--data', from, '--to', there.url, '--api-key', API_KEY, '--secret-file', secretFile]
    const tried = await ending([...words, '--dry-run'])
    const { out, err } = await ending(words)

    expect(err).toBe('')
    expect(tried.out).toContain('Would move: 2 user, 1 channel, 2 member, 3 message, 1 reaction, 1 upload.')
    expect(out).toContain('Moved: 2 user, 2 member, 1 channel, 1 file, 3 message, 1 reaction.')
    expect(readFileSync(join(from, 'move.journal'), 'utf8')).toContain('["message:m3",""]')
    expect(readFileSync(join(from, 'move.journal'), 'utf8')).not.toContain(SECRET)
  })
})
