import { join } from 'node:path'
import { array, assert, asyncProperty, integer } from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { getMessage } from '#shared/wire/messages.ts'
import { deleteChannel, queryChannel } from '#shared/wire/channels.ts'
import { tokenOf } from '../kit.ts'
import { startImporter, type Importer } from './importer.ts'
import {
  BASE,
  DISCORD,
  largeSlack,
  MATTERMOST,
  PIXEL,
  SLACK,
  TELEGRAM_ALL,
  TELEGRAM_CHAT,
  writeFolder,
  writeZip,
  type Files,
} from './samples.ts'

let importer: Importer
beforeEach(async () => {
  importer = await startImporter()
})
afterEach(() => importer.stop())

const zip = (files: Files): string => writeZip(join(importer.folder, 'export.zip'), files)
const folder = (files: Files): string => writeFolder(join(importer.folder, 'export'), files)

const ROOT = `${BASE}.000100`
const cidOf = (name: string): string =>
  importer.all<{ cid: string }>('SELECT cid FROM channels WHERE name = ?', name)[0]?.cid ?? ''

describe('a check', () => {
  test('says what comes and what cannot, and changes nothing', async () => {
    const before = importer.all('SELECT id FROM users')
    const check = await importer.check('slack', zip(SLACK))

    expect(check.figures).toMatchObject({
      messages: 8,
      known: 0,
      channels: 4,
      people: 4,
      files: 1,
      fileBytes: PIXEL.length,
      replies: 2,
      edits: 1,
      reactions: 3,
      pins: 1,
      from: BASE * 1_000,
      until: (BASE + 90_001) * 1_000,
    })
    expect(check.left).toEqual({
      system: 1,
      'app-messages': 1,
      canvases: 1,
      'missing-files': 1,
      orphans: 1,
    })
    expect(check.freeBytes).toBeGreaterThan(0)
    expect(importer.all('SELECT id FROM users')).toEqual(before)
    expect(importer.all('SELECT * FROM messages')).toEqual([])
  })

  test('matches people by their address, then by a name that only one has', async () => {
    await (await importer.server.connect('e1', { name: 'Somebody', email: 'Ewa@example.org' })).close()
    await (await importer.server.connect('t1', { name: 'Tomasz Zieliński' })).close()
    const { people } = await importer.check('slack', zip(SLACK))

    expect(people.map(({ id, target, by }) => ({ id, target, by }))).toEqual([
      { id: 'U0TOM', target: { userId: 't1' }, by: 'name' },
      { id: 'U0EWA', target: { userId: 'e1' }, by: 'email' },
      { id: 'U0SOF', target: 'former', by: undefined },
      { id: 'app:B0CI', target: 'former', by: undefined },
    ])
  })

  test('matches nobody by an address that two people have', async () => {
    await (await importer.server.connect('e1', { name: 'One', email: 'ewa@example.org' })).close()
    await (await importer.server.connect('e2', { name: 'Two', email: 'Ewa@Example.org' })).close()
    const { people } = await importer.check('slack', zip(SLACK))

    expect(people.find(({ id }) => id === 'U0EWA')).toMatchObject({ target: 'new' })
  })

  test('needs no space for files that are here already', async () => {
    const fresh = await importer.check('slack', zip(SLACK))
    await importer.ask({ action: 'close' })
    await importer.import('slack', zip(SLACK))

    expect(fresh.neededBytes).toBeGreaterThan(0)
    expect((await importer.check('slack', zip(SLACK))).neededBytes).toBe(0)
  })

  test('of another file says what it lacks', async () => {
    await importer.ask({ action: 'check', source: 'slack', path: zip(MATTERMOST), name: 'x.zip' })

    expect(await importer.settled()).toEqual({
      step: 'refused',
      refusal: { reason: 'not-one', missing: 'channels.json' },
    })
  })
})

describe('an import', () => {
  test('is asked for with a server token alone', async () => {
    expect((await importer.ask({ action: 'state' }, tokenOf('owner'))).status).toBe(403)
    expect((await importer.ask({ action: 'start', owner: 'owner', people: {}, channels: {} })).status).toBe(400)
  })

  test('brings messages with their times, threads, reactions, pins and files', async () => {
    const owner = await importer.server.connect('owner')
    expect(await importer.import('slack', zip(SLACK))).toBe(8)
    const [type = '', id = ''] = cidOf('general').split(':')
    const { body: state } = await owner.call(queryChannel, { type, id }, { body: { state: true } })
    const root = importer.id('slack', 'C0GEN', ROOT)
    const { body } = await owner.call(getMessage, { id: root })

    expect(state.messages?.map((each) => each.text)).toEqual([
      'Hello @Tomasz Zieliński, see #random and [the **plan**](https://example.org/a) 🎉 1 < 2',
      'For all',
      'Build 12\npassed',
      '📎 lost.pdf',
      'To nobody',
    ])
    expect(state.channel?.['topic']).toBe('Everything & more')
    expect(state.pinned_messages?.map((each) => each.id)).toEqual([root])
    expect(body.message).toMatchObject({
      created_at: '2023-11-20T22:13:20.000100Z',
      reply_count: 2,
      reaction_counts: { '👍': 2, our_logo: 1 },
      mentioned_users: [{ id: 'slack-U0TOM' }],
    })
    expect(body.message?.message_text_updated_at).toBe('2023-11-20T22:14:20.000000Z')
    const [file] = state.messages?.flatMap((each) => each.attachments ?? []) ?? []
    const bytes = await fetch(String(file?.['image_url']))
    expect(Buffer.from(await bytes.arrayBuffer()).equals(PIXEL)).toBe(true)
  })

  test('leaves nothing unread and notifies nobody', async () => {
    const owner = await importer.server.connect('owner')
    await importer.import('slack', zip(SLACK))
    const again = await importer.server.connect('owner')

    expect(again.first).toMatchObject({ me: { total_unread_count: 0, unread_channels: 0, unread_threads: 0 } })
    expect(importer.all('SELECT * FROM members WHERE unread > 0')).toEqual([])
    const types = new Set(await owner.takeEventTypes())
    expect([...types].toSorted()).toEqual(['channel.updated', 'notification.added_to_channel'])
  })

  test('opens direct messages only to those who were in them', async () => {
    await (await importer.server.connect('t1', { name: 'Tomasz Zieliński' })).close()
    await importer.import('slack', zip(SLACK))
    const members = importer.all<{ user_id: string }>(
      "SELECT user_id FROM members WHERE cid IN (SELECT cid FROM channels WHERE type = 'messaging') ORDER BY user_id",
    )

    expect(members.map((each) => each.user_id)).toEqual(['slack-U0EWA', 't1'])
  })

  test('adds nothing when it is run again, also into other channels', async () => {
    await importer.import('slack', zip(SLACK))
    const rows = importer.all('SELECT * FROM messages ORDER BY id')
    const check = await importer.check('slack', zip(SLACK))
    await importer.ask({ action: 'close' })

    expect(check.figures).toMatchObject({ messages: 8, known: 8 })
    expect(check.earlier).toBeGreaterThan(0)
    expect(check.people.every(({ by }) => by === 'earlier')).toBe(true)
    expect(await importer.import('slack', zip(SLACK), { channels: { C0GEN: 'new' } })).toBe(0)
    expect(importer.all('SELECT * FROM messages ORDER BY id')).toEqual(rows)
  })

  test('follows the choices: into an existing channel, left out, as somebody who is here', async () => {
    const owner = await importer.server.connect('owner')
    await owner.call(
      queryChannel,
      { type: 'team', id: 'plans' },
      { body: { data: { name: 'plans', members: ['owner'] } } },
    )
    const choices = {
      people: { U0EWA: 'owner', U0TOM: 'former' },
      channels: { C0GEN: 'team:plans', C0RAN: 'skip', G0LEA: 'skip', D0ONE: 'skip' },
    }
    expect(await importer.import('slack', zip(SLACK), choices)).toBe(6)

    expect(importer.all('SELECT DISTINCT cid FROM messages')).toEqual([{ cid: 'team:plans' }])
    expect(importer.all(`SELECT user_id FROM messages WHERE text LIKE 'Hello%'`)).toEqual([{ user_id: 'owner' }])
    expect(importer.all(`SELECT deactivated_at > 0 AS gone FROM users WHERE id = 'slack-U0TOM'`)).toEqual([{ gone: 1 }])
    expect(importer.all(`SELECT user_id FROM members WHERE cid = 'team:plans'`)).toEqual([{ user_id: 'owner' }])
  })

  test('brings what is new of a channel that was deleted here into a new one', async () => {
    const { 'general/2023-11-21.json': later = '', ...before } = SLACK
    const owner = await importer.server.connect('owner')
    await importer.import('slack', zip(before))
    const cid = cidOf('general')
    const [type = '', id = ''] = cid.split(':')
    await owner.call(deleteChannel, { type, id })
    const added = await importer.import('slack', zip({ ...before, 'general/2023-11-21.json': later }))

    expect(added).toBe(2)
    expect(importer.all('SELECT id FROM messages WHERE cid != ? AND text = ?', cid, 'To nobody')).toHaveLength(1)
  })

  test('makes somebody of an earlier import a former member, or a member again', async () => {
    const gone = (): unknown =>
      importer.all("SELECT deactivated_at IS NOT NULL AS gone FROM users WHERE id = 'slack-U0TOM'")
    await importer.import('slack', zip(SLACK))
    await importer.import('slack', zip(SLACK), { people: { U0TOM: 'former' } })
    expect(gone()).toEqual([{ gone: 1 }])

    await importer.import('slack', zip(SLACK), { people: { U0TOM: 'new' } })
    expect(gone()).toEqual([{ gone: 0 }])
  })

  test('names files that it could not take over, and counts them', async () => {
    const files = Array.from({ length: 32 }, (_each, nth) => ({ id: `F0FILE${10 + nth}`, name: `f${nth}.txt` }))
    const day = [{ type: 'message', user: 'U0EWA', ts: `${BASE}.000000`, text: 'Files', files }]
    const stored = Object.fromEntries(
      files.map(({ id, name }, nth) => [`__uploads/${id}/${name}`, nth === 0 ? '' : 'content']),
    )
    const { 'general/2023-11-20.json': _first, 'general/2023-11-21.json': _second, ...rest } = SLACK
    await importer.check('slack', zip({ ...rest, ...stored, 'general/2023-11-20.json': JSON.stringify(day) }))
    await importer.ask({ action: 'start', owner: 'owner', people: {}, channels: {} })

    expect(await importer.settled()).toMatchObject({ report: { files: 29, left: { 'missing-files': 3 } } })
    expect(importer.all("SELECT text FROM messages WHERE text LIKE 'Files%'")).toEqual([
      { text: 'Files\n📎 f0.txt\n📎 f30.txt\n📎 f31.txt' },
    ])
  })

  test('gives each of many messages of one time a time of its own', async () => {
    const day = Array.from({ length: 450 }, (_each, nth) => ({
      id: nth + 2,
      type: 'message',
      from_id: 'user1',
      text: 'x',
    }))
    const messages = day.map((each) => ({ ...each, date_unixtime: String(BASE), from: 'A' }))
    const chat = { name: 'Chat', type: 'private_group', id: 1, messages }
    await importer.import('telegram', folder({ 'result.json': JSON.stringify(chat) }))

    expect(importer.all('SELECT DISTINCT created_at FROM messages')).toHaveLength(450)
    expect(importer.all('SELECT DISTINCT doc FROM messages')).toHaveLength(450)
  })

  test('keeps what somebody has not read, and puts nothing on top of it', async () => {
    const owner = await importer.server.connect('owner')
    const other = await importer.server.connect('other')
    await owner.call(
      queryChannel,
      { type: 'team', id: 'plans' },
      { body: { data: { name: 'general', members: ['owner', 'other'] } } },
    )
    const { sendMessage } = await import('#shared/wire/messages.ts')
    await other.call(sendMessage, { type: 'team', id: 'plans' }, { body: { message: { id: 'm1', text: 'Unread' } } })
    await importer.import('slack', zip(SLACK))

    expect(importer.all(`SELECT unread FROM members WHERE user_id = 'owner' AND cid = 'team:plans'`)).toEqual([
      { unread: 1 },
    ])
  })

  test.each([
    ['mattermost', () => zip(MATTERMOST), 3],
    ['telegram', () => folder(TELEGRAM_CHAT), 2],
    ['telegram', () => folder(TELEGRAM_ALL), 4],
    ['discord', () => folder(DISCORD), 3],
  ] as const)('of %s brings everything once', async (source, path, count) => {
    expect(await importer.import(source, path())).toBe(count)
    expect(await importer.import(source, path())).toBe(0)
    expect(importer.all('SELECT id FROM messages')).toHaveLength(count)
  })

  test('of Telegram pins what was pinned, and quotes what was answered', async () => {
    await importer.import('telegram', folder(TELEGRAM_CHAT))
    const [first, second] = [importer.id('telegram', '77', '2'), importer.id('telegram', '77', '3')]

    expect(importer.all('SELECT id FROM messages WHERE pinned_at IS NOT NULL')).toEqual([{ id: first }])
    expect(importer.all('SELECT quoted_id FROM messages WHERE id = ?', second)).toEqual([{ quoted_id: first }])
    // Both were written in the same second.
    expect(importer.all('SELECT DISTINCT created_at FROM messages')).toHaveLength(2)
  })

  test('of Discord puts a thread under its message', async () => {
    await importer.import('discord', folder(DISCORD))

    expect(importer.all(`SELECT parent_id FROM messages WHERE text = 'In the thread'`)).toEqual([
      { parent_id: importer.id('discord', '1001', '5001') },
    ])
  })
})

test('parts of an export, then all of it, give what all of it gives at once', { timeout: 60_000 }, async () => {
  const whole = largeSlack(600)
  const shown = (): unknown[] =>
    importer.all(`SELECT id, text, created_at, parent_id, reply_count, pinned_at, mentions FROM messages ORDER BY id`)
  await importer.import('slack', zip(whole))
  const expected = shown()
  await assert(
    asyncProperty(array(integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 }), async (days) => {
      const other = await startImporter()
      const file = (files: Files): string => writeZip(join(other.folder, 'export.zip'), files)
      for (const day of days) {
        const part = Object.entries(whole).filter(([name]) => !name.includes('/') || name.endsWith(`${10 + day}.json`))
        await other.import('slack', file(Object.fromEntries(part)))
      }
      await other.import('slack', file(whole))
      const found = other.all(
        'SELECT id, text, created_at, parent_id, reply_count, pinned_at, mentions FROM messages ORDER BY id',
      )
      await other.stop()
      expect(found).toEqual(expected)
    }),
    { numRuns: 4 },
  )
})

describe('a paused or interrupted import', () => {
  const many = (count: number): Files => ({
    'users.json': '[]',
    'channels.json': JSON.stringify([{ id: 'C1', name: 'long', members: [] }]),
    ...Object.fromEntries(
      Array.from({ length: 10 }, (_each, day) => [
        `long/2023-11-${10 + day}.json`,
        JSON.stringify(
          Array.from({ length: count / 10 }, (_message, nth) => ({
            type: 'message',
            user: 'U1',
            ts: `${BASE + day * 86_400 + nth}.000000`,
            text: `Message ${day} ${nth}`,
          })),
        ),
      ]),
    ),
  })

  async function startMany(count: number): Promise<void> {
    await importer.check('slack', zip(many(count)))
    await importer.ask({ action: 'start', owner: 'owner', people: {}, channels: {} })
  }

  test('goes on where it stopped', async () => {
    await startMany(4_000)
    await importer.ask({ action: 'pause' })
    const paused = await importer.settled()
    await importer.ask({ action: 'continue' })
    const done = await importer.settled()

    expect(paused).toMatchObject({ step: 'paused', total: 4_000 })
    expect(done).toMatchObject({ step: 'done', stopped: false, report: { messages: 4_000 } })
    expect(importer.all('SELECT id FROM messages')).toHaveLength(4_000)
  })

  test('goes on by itself after a restart of the server', async () => {
    await startMany(4_000)
    await importer.restart()
    expect(await importer.settled()).toMatchObject({ step: 'done', report: { messages: 4_000 } })
    expect(importer.all('SELECT id FROM messages')).toHaveLength(4_000)
  })

  test('that is stopped keeps what it has, and says so', async () => {
    await startMany(8_000)
    await importer.ask({ action: 'stop' })
    const progress = await importer.settled()

    expect(progress).toMatchObject({ step: 'done', stopped: true })
    const { length } = importer.all('SELECT id FROM messages')
    expect(progress.step === 'done' && progress.report.messages).toBe(length)
  })

  test('waits while the disk is full', async () => {
    let free = 10 * 1024 ** 3
    const { systemDisk } = await import('#main/server/store/blobs.ts')
    await importer.restart({ disk: { ...systemDisk, free: () => Promise.resolve({ bytes: free, share: 1 }) } })
    await importer.check('slack', zip(many(1_000)))
    free = 5
    await importer.ask({ action: 'start', owner: 'owner', people: {}, channels: {} })
    expect(await importer.settled()).toMatchObject({ step: 'paused', problem: 'disk-full', done: 0 })

    free = 10 * 1024 ** 3
    await importer.ask({ action: 'continue' })
    expect(await importer.settled()).toMatchObject({ step: 'done', report: { messages: 1_000 } })
  })

  test('waits before a file that would fill the disk', async () => {
    let free = 10 * 1024 ** 3
    const { MIN_FREE_BYTES, systemDisk } = await import('#main/server/store/blobs.ts')
    await importer.restart({ disk: { ...systemDisk, free: () => Promise.resolve({ bytes: free, share: 1 }) } })
    await importer.check('slack', zip(SLACK))
    free = MIN_FREE_BYTES + PIXEL.length - 1
    await importer.ask({ action: 'start', owner: 'owner', people: {}, channels: {} })

    expect(await importer.settled()).toMatchObject({ step: 'paused', problem: 'disk-full', done: 0 })
    expect(importer.all('SELECT id FROM uploads')).toEqual([])
  })

  test('says that its file is gone', async () => {
    await startMany(4_000)
    await importer.ask({ action: 'pause' })
    const { rmSync } = await import('node:fs')
    rmSync(join(importer.folder, 'export.zip'))
    await importer.ask({ action: 'continue' })

    expect(await importer.settled()).toMatchObject({ step: 'paused', problem: 'file-gone' })
  })
})

describe('undoing an import', () => {
  const undo = async (): Promise<void> => {
    await importer.ask({ action: 'undo' })
    await importer.settled()
  }
  const importOnly = async (source: 'slack', path: string): Promise<void> => {
    await importer.check(source, path)
    await importer.ask({ action: 'start', owner: 'owner', people: {}, channels: {} })
    await importer.settled()
  }

  test('removes exactly what it has added', async () => {
    const owner = await importer.server.connect('owner')
    await owner.call(
      queryChannel,
      { type: 'team', id: 'plans' },
      { body: { data: { name: 'general', members: ['owner'] } } },
    )
    const { sendMessage } = await import('#shared/wire/messages.ts')
    await owner.call(sendMessage, { type: 'team', id: 'plans' }, { body: { message: { id: 'mine', text: 'Mine' } } })
    const tables = ['users', 'channels', 'messages', 'uploads', 'reactions', 'imported', 'thread_participants']
    const ids = (): unknown[] => [
      ...tables.map((table) => importer.all<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)[0]?.n),
      importer.all('SELECT cid, user_id FROM members ORDER BY cid, user_id'),
      importer.all('SELECT cid, message_count FROM channels'),
    ]
    const before = ids()
    await importOnly('slack', zip(SLACK))
    expect(ids()).not.toEqual(before)
    await undo()

    expect(ids()).toEqual(before)
    expect((await importer.ask({ action: 'state' })).state).toEqual({ progress: { step: 'none' } })
    expect(await importer.import('slack', zip(SLACK))).toBe(8)
  })

  test('that fails says so, and can be tried again', async () => {
    const { db } = importer.server.services
    await importOnly('slack', zip(SLACK))
    db.exec("CREATE TRIGGER held BEFORE DELETE ON messages BEGIN SELECT RAISE(ABORT, 'held'); END")
    await undo()
    const { progress } = (await importer.ask({ action: 'state' })).state
    expect(progress).toMatchObject({ step: 'done', stopped: true, undoFailed: true })
    db.exec('DROP TRIGGER held')
    await undo()
    expect((await importer.ask({ action: 'state' })).state).toEqual({ progress: { step: 'none' } })
  })

  test('leaves messages that somebody has replied to, and who wrote them', async () => {
    const owner = await importer.server.connect('owner')
    await importOnly('slack', zip(SLACK))
    const [type = '', id = ''] = cidOf('general').split(':')
    const { sendMessage } = await import('#shared/wire/messages.ts')
    const parent = importer.id('slack', 'C0GEN', ROOT)
    await owner.call(sendMessage, { type, id }, { body: { message: { id: 'mine', text: 'Reply', parent_id: parent } } })
    await undo()

    expect(importer.all<{ id: string }>('SELECT id FROM messages ORDER BY id').map((each) => each.id)).toEqual([
      parent,
      'mine',
    ])
    // Who wrote it, and who reacted to it; the app that wrote something else is gone.
    const people = importer.all<{ id: string }>(`SELECT id FROM users WHERE id LIKE 'slack-%' ORDER BY id`)
    expect(people.map((each) => each.id)).toEqual(['slack-U0EWA', 'slack-U0SOF', 'slack-U0TOM'])
    expect(importer.all(`SELECT reply_count FROM messages WHERE id = ?`, parent)).toEqual([{ reply_count: 1 }])
  })
})
