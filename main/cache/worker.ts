import { Worker } from 'node:worker_threads'
import { AppError } from '#shared/lib/app-error.ts'
import type { UserId } from '#shared/lib/brand.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { Store } from './files/open.ts'
import {
  namesHeld,
  type NamesAnswer,
  type NamesRequest,
  searchHeld,
  type SearchAnswer,
  type SearchRequest,
} from './search/query.ts'

/** What would make the thread of the cache's writer wait: searches, and the disk while the log is moved. */
export type CacheWorker = {
  /** Rejects with `search/unavailable`; `search/damaged` if the index must be rebuilt. */
  search(request: SearchRequest): Promise<SearchAnswer>
  names(request: NamesRequest): Promise<NamesAnswer>
  /**
   * Moves the log into the database as far as no one reads it, while the writer goes on. Rejects with
   * `search/unavailable`.
   */
  checkpoint(): Promise<void>
  /** Closes the file. Must be the last call. */
  close(): Promise<void>
}

/** Works on the caller's thread, with the writer's own connection: for a file that no other can open, tests and tools. */
export function inlineWorker(store: Store): CacheWorker {
  return {
    search: async (request) => store.read((reader) => searchHeld(reader, request)),
    names: async (request) => store.read((reader) => namesHeld(reader, request)),
    checkpoint: async () => void store.reader.db.pragma(CHECKPOINT),
    close: () => Promise.resolve(),
  }
}

/** Waits for no one: what is being read or written meanwhile stays in the log. */
export const CHECKPOINT = 'wal_checkpoint(PASSIVE)'

export type WorkerSetup = { readonly path: string; readonly viewerId: UserId }
/** Requests and responses of the thread, by kind. */
type WorkerCalls = {
  readonly search: { readonly request: SearchRequest; readonly answer: SearchAnswer }
  readonly names: { readonly request: NamesRequest; readonly answer: NamesAnswer }
  readonly checkpoint: { readonly request: undefined; readonly answer: undefined }
}
export type WorkerAnswer = WorkerCalls[keyof WorkerCalls]['answer']
export type WorkerQuestion = {
  readonly [Kind in keyof WorkerCalls]: {
    readonly id: number
    readonly kind: Kind
    readonly request: WorkerCalls[Kind]['request']
  }
}[keyof WorkerCalls]
export type WorkerReply =
  | { readonly id: number; readonly answer: WorkerAnswer }
  | { readonly id: number; readonly damaged: boolean; readonly reason: string }

type Waiting = { readonly resolve: (answer: never) => void; readonly reject: (error: AppError) => void }

/** A thread and its connections take some 12 MiB. It starts again in a twentieth of a second. */
const IDLE_MS = 60_000

/**
 * Works in a thread with connections of its own, so that neither an expensive query nor a slow disk blocks main. The
 * thread starts with the first question and ends when none came for a minute; if it fails, pending questions fail, and
 * the next one starts another.
 *
 * @param entry the file the thread runs (`main/entry/cache-worker.ts`, or its bundle)
 */
export function threadWorker(entry: string, setup: WorkerSetup, clock: Pick<Clock, 'after'>, log: Logger): CacheWorker {
  const waiting = new Map<number, Waiting>()
  let running: Worker | undefined
  let idle: Stop | undefined
  let last = 0
  let closed = false

  function start(): Worker {
    const worker = new Worker(entry, { workerData: setup })
    worker.unref()
    worker.on('message', (reply: WorkerReply) => settle(reply))
    worker.on('error', (error: Error) => log.warn('failed', { reason: error.message }))
    worker.on('exit', () => {
      // One that ended idle may have been followed by another, whose questions are not its own.
      if (running !== worker) return
      running = undefined
      refuseWaiting()
    })
    return worker
  }

  function refuseWaiting(): void {
    for (const one of waiting.values()) one.reject(new AppError('search/unavailable'))
    waiting.clear()
  }

  function settle(reply: WorkerReply): void {
    const one = waiting.get(reply.id)
    waiting.delete(reply.id)
    if (waiting.size === 0 && !closed) idle = clock.after(IDLE_MS, () => void end())
    if ('answer' in reply) return one?.resolve(reply.answer as never)
    log.warn('failed', { reason: reply.reason })
    one?.reject(new AppError(reply.damaged ? 'search/damaged' : 'search/unavailable'))
  }

  async function end(): Promise<void> {
    const ending = running
    running = undefined
    await ending?.terminate()
  }

  function ask<Kind extends keyof WorkerCalls>(
    kind: Kind,
    request: WorkerCalls[Kind]['request'],
  ): Promise<WorkerCalls[Kind]['answer']> {
    if (closed) return Promise.reject(new AppError('search/unavailable'))
    idle?.()
    running ??= start()
    const id = (last += 1)
    running.postMessage({ id, kind, request }, [])
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
  }

  return {
    search: (request) => ask('search', request),
    names: (request) => ask('names', request),
    checkpoint: () => ask('checkpoint', undefined),
    async close() {
      closed = true
      idle?.()
      await end()
      refuseWaiting()
    },
  }
}
