import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Identity } from '#main/server/http/auth/identify.ts'
import type { Db } from '#main/server/store/db.ts'
import { createConnection } from '#main/server/realtime/connect.ts'
import { routes } from '#main/server/routes.ts'
import { createGroupCommit, type GroupCommit } from '#main/server/store/group-commit.ts'
import { transact, type Services } from '#main/server/work.ts'
import { ADMIN, openRoom, type Room } from '../room.ts'

/** Requests of one turn of the event loop are committed in one transaction. */
let room: Room
let run: GroupCommit
/** What happened, in order: `commit`, `rollback`, `received ID`, `answered ID`, `refused ID`. */
let log: string[]
/** What had happened when events were first written to the connection. */
let written: string[] | undefined
let endTurn: () => void
/** Replaces a commit that fails. */
let failing: Error | undefined

const params = { type: 'team', id: 'a' }

/** The room's store, whose outermost transactions are recorded. */
function watched(db: Db): Db {
  return {
    ...db,
    transaction(work) {
      if (db.isInTransaction()) return db.transaction(work)
      try {
        const result = db.transaction(() => {
          const value = work()
          if (failing) throw failing
          return value
        })
        log.push('commit')
        return result
      } catch (error) {
        log.push('rollback')
        throw error
      }
    },
  }
}

beforeEach(() => {
  room = openRoom(['ann', 'bob'])
  room.done('GetOrCreateChannel', ADMIN, {
    params,
    body: { data: { members: ['ann', 'bob'], created_by_id: 'root' }, user_id: 'root' },
  })
  log = []
  written = undefined
  failing = undefined
  const services: Services = { ...room.server.services, db: watched(room.server.services.db) }
  run = createGroupCommit(services, (fn) => (endTurn = fn))
  served = services
  const connection = createConnection(services, 'bob', {
    push: (event) => {
      const parsed = JSON.parse(event.json) as { type: string; message?: { id: string } }
      log.push(`received ${parsed.message?.id ?? parsed.type}${services.db.isInTransaction() ? ' too early' : ''}`)
    },
    flush: () => void (written ??= [...log]),
    close: () => undefined,
  })
  services.hub.add(connection)
  services.hub.watch(connection, 'team:a')
})
afterEach(() => room.close())

let served: Services
const ann: Identity = { userId: 'ann', role: 'user', banned: false, server: false, expiresAtMs: undefined }

function send(id: string): Promise<void> {
  const route = routes.find(({ operation }) => operation === 'SendMessage')
  const body = { message: { id, text: `text of ${id}` } }
  const ask = { params, query: {}, body, raw: body, who: ann, connectionId: undefined }
  return run((within) => route?.run(ask, served, within)).then(
    () => void log.push(`answered ${id}`),
    () => void log.push(`refused ${id}`),
  )
}

const stored = (): string[] =>
  room.server.services.db.all<{ id: string }>('SELECT id FROM messages ORDER BY created_at').map(({ id }) => id)

test('requests of one turn wait for the disk once; events and responses are sent after that, in order', async () => {
  const all = [send('m1'), send('m2'), send('m3')]
  expect(log).toEqual([])
  expect(stored()).toEqual([])
  endTurn()
  await Promise.all(all)
  expect(log).toEqual([
    'commit',
    'received m1',
    'received m2',
    'received m3',
    'answered m1',
    'answered m2',
    'answered m3',
  ])
  expect(stored()).toEqual(['m1', 'm2', 'm3'])
})

test('events are written to their connections before the responses', async () => {
  const all = [send('m1'), send('m2')]
  endTurn()
  await Promise.all(all)
  expect(written).toEqual(['commit', 'received m1', 'received m2'])
})

test('a refused request is undone without the others', async () => {
  const all = [send('m1'), send('m1'), send('m2')]
  endTurn()
  await Promise.all(all)
  expect(log).toEqual(['commit', 'received m1', 'received m2', 'answered m1', 'refused m1', 'answered m2'])
  expect(stored()).toEqual(['m1', 'm2'])
  expect(served.db.all('SELECT unread FROM members WHERE user_id = ?', 'bob')).toEqual([{ unread: 2 }])
})

test('rows of a request that fails late are undone, and its events are never sent', async () => {
  const all = [
    send('m1'),
    run((within) =>
      within(served, (work) => {
        work.db.run("UPDATE messages SET text = 'broken' WHERE id = 'm1'")
        work.emit({ event: { type: 'broken' }, to: { kind: 'all' } })
        throw new Error('late')
      }),
    ).catch((error: Error) => void log.push(error.message)),
  ]
  endTurn()
  await Promise.all(all)
  expect(log).toEqual(['commit', 'received m1', 'answered m1', 'late'])
  expect(served.db.get('SELECT text FROM messages')).toEqual({ text: 'text of m1' })
})

test('when the commit fails no request succeeds and nothing is sent or stored', async () => {
  failing = new Error('the disk is full')
  const all = [send('m1'), send('m2')]
  endTurn()
  await Promise.all(all)
  expect(log).toEqual(['rollback', 'refused m1', 'refused m2'])
  expect(stored()).toEqual([])
  failing = undefined
  const again = send('m1')
  endTurn()
  await again
  expect(log.slice(3)).toEqual(['commit', 'received m1', 'answered m1'])
  expect(served.db.all('SELECT unread FROM members WHERE user_id = ?', 'bob')).toEqual([{ unread: 1 }])
})

test('a disk that fails in the middle undoes all of that transaction, and the rest has its own', async () => {
  const all = [
    send('m1'),
    run((within) =>
      within(served, (work) => {
        work.db.exec('ROLLBACK')
        throw new Error('database or disk is full')
      }),
    ).catch((error: Error) => void log.push(error.message)),
    send('m2'),
  ]
  endTurn()
  await Promise.all(all)
  expect(log).toEqual(['rollback', 'commit', 'received m2', 'refused m1', 'database or disk is full', 'answered m2'])
  expect(stored()).toEqual(['m2'])
})

test('work beyond its own rows closes the transaction: the next request finds it done', async () => {
  const all = [
    send('m1'),
    run((within) => within(served, (work) => work.afterwards(() => void log.push('done')))),
    send('m2'),
    send('m3'),
  ]
  endTurn()
  await Promise.all(all)
  expect(log.filter((line) => !line.startsWith('answered'))).toEqual([
    'commit',
    'received m1',
    'done',
    'commit',
    'received m2',
    'received m3',
  ])
})

test('a lone request has a transaction like any other', async () => {
  const one = send('m1')
  endTurn()
  await one
  expect(log).toEqual(['commit', 'received m1', 'answered m1'])
  transact(served, () => undefined)
  expect(log.at(-1)).toBe('commit')
})
