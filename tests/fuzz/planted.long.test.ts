import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { noteCovered, PATIENCE_MS } from '#kit/runs.ts'
import type { HttpRequest } from '#main/engine/ports.ts'
import { runSchedule, type Plant } from './schedule.ts'

/** Seeds a planted bug may need to show itself. */
const PATIENCE = 25

/** Bugs planted on purpose: a judge that misses one of them would miss a real one. */
const PLANTS: readonly (readonly [what: string, plant: Plant])[] = [
  [
    'the server knows no message twice: a replay becomes a second message',
    (_world, { link }, random) => {
      link.tamper.request = (request) => withMessage(request, (message) => ({ ...message, id: `again-${random()}` }))
    },
  ],
  [
    'the server answers before it stored the message, and then forgets it',
    (world, { link }) => {
      link.tamper.answer = (request, answer) => {
        if (isSend(request))
          world.server.services.db.run('DELETE FROM messages WHERE id = ?', messageOf(request)['id'] as string)
        return answer
      }
    },
  ],
  [
    'the server keeps the old text when a message is edited',
    (_world, { link }) => {
      link.tamper.request = (request) =>
        isEdit(request) ? withMessage(request, (message) => ({ ...message, text: 'old words' })) : request
    },
  ],
  [
    'unsent messages are stored in memory only',
    (_world, person) => {
      if (person.isRunning) return
      for (const name of ['outbox.db', 'outbox.db-wal', 'outbox.db-shm', 'outbox.journal'])
        removeBelow(person.folder, name)
    },
  ],
  [
    'a reconnect clears the outbox',
    (_world, person) => {
      if (person.isRunning && person.link.isUp)
        person.account.engine.stores.outbox.reader.db.raw.exec('DELETE FROM intents')
    },
  ],
  [
    'the outbox sends the newest first after a restart',
    (_world, person) => {
      const path = join(person.folder, 'outbox.db')
      if (person.isRunning || !existsSync(path)) return
      const outbox = new Database(path)
      outbox.exec('UPDATE intents SET seq = 1000000 - seq WHERE seq < 500000')
      outbox.close()
    },
  ],
  [
    'a refused message is dropped instead of tried again',
    (_world, { link }) => {
      link.tamper.answer = (request, answer) =>
        isSend(request) && answer.status < 300
          ? { ...answer, status: 400, text: '{"code":4,"message":"no","StatusCode":400}' }
          : answer
    },
  ],
  [
    'a frame of an open connection is lost and not noticed',
    (_world, { link }, random) => {
      link.tamper.losesFrame = (text) => text.startsWith('{"type":"message.new"') && random() < 0.3
    },
  ],
]

test.each(PLANTS)('the judge catches it when %s', { timeout: PATIENCE_MS }, async (_what, plant) => {
  for (let seed = 1; seed <= PATIENCE; seed++) {
    const verdict = await runSchedule(seed, plant).catch((error: unknown) => [String(error)])
    if (verdict.length > 0) {
      noteCovered({ kind: 'planted bugs of the outside', isFresh: false, count: 1 })
      return
    }
  }
  expect.unreachable(`not caught within ${PATIENCE} schedules`)
})

const isSend = ({ method, url }: HttpRequest): boolean =>
  method === 'POST' && /\/channels\/[^/]+\/[^/]+\/message\?/.test(url)
const isEdit = ({ method, url }: HttpRequest): boolean => method === 'POST' && /\/messages\/[^/]+\?/.test(url)

type Json = Readonly<Record<string, unknown>>
const bodyOf = ({ body }: HttpRequest): Json => (typeof body === 'string' ? (JSON.parse(body) as Json) : {})
const messageOf = (request: HttpRequest): Json => (bodyOf(request)['message'] ?? {}) as Json

function withMessage(request: HttpRequest, change: (message: Json) => Json): HttpRequest {
  if (!isSend(request) && !isEdit(request)) return request
  return { ...request, body: JSON.stringify({ ...bodyOf(request), message: change(messageOf(request)) }) }
}

function removeBelow(folder: string, name: string): void {
  const path = join(folder, name)
  if (existsSync(path)) rmSync(path)
}
