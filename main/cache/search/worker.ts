import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { assert } from '#shared/lib/app-error.ts'
import { logger, silentSink } from '#main/lib/logger.ts'
import { openCacheSql } from '../sql.ts'
import { isDamage } from '#main/lib/disk-error.ts'
import { openForReading } from '#main/lib/sqlite/connection.ts'
import { nodeDisk } from '#main/lib/sqlite/disk.ts'
import { namesHeld, searchHeld } from './query.ts'
import type { WorkerQuestion, WorkerReply, WorkerSetup } from './reader.ts'

/** The worker side of `workerReader`: one query after the other, each on one snapshot of the file. */
export function runSearchWorker(): void {
  assert(!isMainThread && parentPort, 'the search worker runs in a worker')
  const port = parentPort
  const { path, viewerId } = workerData as WorkerSetup
  const raw = openForReading(nodeDisk, path, { busyMs: 1_000, cacheKib: 16_384 })
  const db = openCacheSql(raw, { monotonic: () => 0 }, logger('search', silentSink))
  const reader = { db, viewerId }
  const read = (question: WorkerQuestion): Answer =>
    db.transaction(
      () => (question.kind === 'names' ? namesHeld(reader, question.request) : searchHeld(reader, question.request)),
      'deferred',
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
