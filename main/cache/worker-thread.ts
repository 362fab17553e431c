import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { assert } from '#shared/lib/app-error.ts'
import { isDamage } from '#main/lib/disk-error.ts'
import { logger, silentSink } from '#main/lib/logger.ts'
import { openForCheckpoints, openForReading } from '#main/lib/sqlite/connection.ts'
import { nodeDisk } from '#main/lib/sqlite/disk.ts'
import { namesHeld, searchHeld } from './search/query.ts'
import { openCacheSql } from './store.ts'
import { CHECKPOINT, type WorkerAnswer, type WorkerQuestion, type WorkerReply, type WorkerSetup } from './worker.ts'

/** The thread of `threadWorker`: one question after the other, each search on one snapshot of the file. */
export function runCacheWorker(): void {
  assert(!isMainThread && parentPort, 'the cache worker runs in a thread')
  const port = parentPort
  const { path, viewerId } = workerData as WorkerSetup
  const search = once(() => searcher(path, viewerId))
  const log = once(() => openForCheckpoints(nodeDisk, path))
  const answerTo = (question: WorkerQuestion): WorkerAnswer =>
    question.kind === 'checkpoint' ? void log().pragma(CHECKPOINT) : search()(question)
  port.on('message', (question: WorkerQuestion) => port.postMessage(replyTo(question, answerTo)))
}

type Search = Exclude<WorkerQuestion, { readonly kind: 'checkpoint' }>

function searcher(path: string, viewerId: WorkerSetup['viewerId']): (question: Search) => WorkerAnswer {
  const raw = openForReading(nodeDisk, path, { busyMs: 1_000, cacheKib: 16_384 })
  const db = openCacheSql(raw, { monotonic: () => 0 }, logger('search', silentSink))
  const reader = { db, viewerId }
  return (question) => {
    // Rows change between two queries, and only the writer's own memo is invalidated.
    db.memo.clear()
    return db.transaction(
      () => (question.kind === 'names' ? namesHeld(reader, question.request) : searchHeld(reader, question.request)),
      'deferred',
    )
  }
}

/** Whoever never searches pays for no connection that does. */
function once<T>(open: () => T): () => T {
  let opened: T | undefined
  return () => (opened ??= open())
}

function replyTo(question: WorkerQuestion, answerTo: (question: WorkerQuestion) => WorkerAnswer): WorkerReply {
  try {
    return { id: question.id, answer: answerTo(question) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    return { id: question.id, damaged: isDamage(error), reason }
  }
}
