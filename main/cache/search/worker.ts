import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { assert } from '#shared/lib/app-error.ts'
import { logger, silentSink } from '#main/lib/logger.ts'
import { openSql } from '../sql.ts'
import { isDamage } from '#main/lib/disk-error.ts'
import { namesHeld } from './names.ts'
import { searchHeld } from './query.ts'
import type { WorkerQuestion, WorkerReply, WorkerSetup } from './reader.ts'

/** The worker side of `workerReader`: one query after the other, each on one snapshot of the file. */
export function runSearchWorker(): void {
  assert(!isMainThread && parentPort, 'the search worker runs in a worker')
  const port = parentPort
  const { path, viewerId } = workerData as WorkerSetup
  const raw = new Database(path, { readonly: true, timeout: 1_000 })
  raw.pragma('query_only = ON')
  raw.pragma('trusted_schema = OFF')
  raw.pragma('cache_size = -16384')
  const db = openSql(raw, { monotonic: () => 0 }, logger('search', silentSink))
  const reader = { db, viewerId }
  const read = raw.transaction((question: WorkerQuestion) =>
    question.kind === 'names' ? namesHeld(reader, question.request) : searchHeld(reader, question.request),
  )
  port.on('message', (question: WorkerQuestion) => {
    // Rows change between two queries, and only the writer's own memo is invalidated.
    db.memo.clear()
    port.postMessage(replyTo(question, read))
  })
}

type Answer = ReturnType<typeof searchHeld> | ReturnType<typeof namesHeld>

function replyTo(question: WorkerQuestion, read: (question: WorkerQuestion) => Answer): WorkerReply {
  try {
    return { id: question.id, answer: read(question) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    return { id: question.id, damaged: isDamage(error), reason }
  }
}
