import { Worker } from 'node:worker_threads'
import { AppError } from '#shared/lib/app-error.ts'
import type { UserId } from '#shared/lib/brand.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { Store } from '../files/open.ts'
import {
  namesHeld,
  type NamesAnswer,
  type NamesRequest,
  searchHeld,
  type SearchAnswer,
  type SearchRequest,
} from './query.ts'

/** Runs searches on an account's cache. */
export type SearchReader = {
  /** Rejects with `search/unavailable`; `search/damaged` if the index must be rebuilt. */
  search(request: SearchRequest): Promise<SearchAnswer>
  names(request: NamesRequest): Promise<NamesAnswer>
  /** Closes the file. Must be the last call. */
  close(): Promise<void>
}

/** Searches on the caller's thread, with the writer's own connection: for tests and tools. */
export function ownReader(store: Store): SearchReader {
  return {
    search: async (request) => store.read((reader) => searchHeld(reader, request)),
    names: async (request) => store.read((reader) => namesHeld(reader, request)),
    close: () => Promise.resolve(),
  }
}

export type WorkerSetup = { readonly path: string; readonly viewerId: UserId }
/** Requests and responses of the worker, by kind. */
type WorkerCalls = {
  readonly search: { readonly request: SearchRequest; readonly answer: SearchAnswer }
  readonly names: { readonly request: NamesRequest; readonly answer: NamesAnswer }
}
export type WorkerQuestion = {
  readonly [Kind in keyof WorkerCalls]: {
    readonly id: number
    readonly kind: Kind
    readonly request: WorkerCalls[Kind]['request']
  }
}[keyof WorkerCalls]
export type WorkerReply =
  | { readonly id: number; readonly answer: WorkerCalls[keyof WorkerCalls]['answer'] }
  | { readonly id: number; readonly damaged: boolean; readonly reason: string }

type Waiting = { readonly resolve: (answer: never) => void; readonly reject: (error: AppError) => void }

/**
 * Searches in a worker thread with its own read-only connection, so that an expensive query never blocks main. The
 * thread starts with the first query; if it exits, pending queries fail, and the next query starts another.
 *
 * @param entry the file the thread runs (`main/entry/search-reader.ts`, or its bundle)
 */
export function workerReader(entry: string, setup: WorkerSetup, log: Logger): SearchReader {
  const waiting = new Map<number, Waiting>()
  let running: Worker | undefined
  let last = 0
  let closed = false

  function start(): Worker {
    const worker = new Worker(entry, { workerData: setup })
    worker.unref()
    worker.on('message', (reply: WorkerReply) => settle(reply))
    worker.on('error', (error: Error) => log.warn('search-failed', { reason: error.message }))
    worker.on('exit', () => {
      if (running === worker) running = undefined
      for (const one of waiting.values()) one.reject(new AppError('search/unavailable'))
      waiting.clear()
    })
    return worker
  }

  function settle(reply: WorkerReply): void {
    const one = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('answer' in reply) return one?.resolve(reply.answer as never)
    log.warn('search-failed', { reason: reply.reason })
    one?.reject(new AppError(reply.damaged ? 'search/damaged' : 'search/unavailable'))
  }

  function ask<Kind extends keyof WorkerCalls>(
    kind: Kind,
    request: WorkerCalls[Kind]['request'],
  ): Promise<WorkerCalls[Kind]['answer']> {
    if (closed) return Promise.reject(new AppError('search/unavailable'))
    running ??= start()
    const id = (last += 1)
    running.postMessage({ id, kind, request }, [])
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
  }

  return {
    search: (request) => ask('search', request),
    names: (request) => ask('names', request),
    async close() {
      closed = true
      await running?.terminate()
    },
  }
}
