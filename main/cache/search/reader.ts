import { Worker } from 'node:worker_threads'
import { AppError } from '#shared/lib/app-error.ts'
import type { UserId } from '#shared/lib/brand.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { Store } from '../open.ts'
import { searchHeld, type SearchAnswer, type SearchRequest } from './query.ts'

/** Answers searches over what an account's cache holds. */
export type SearchReader = {
  /** Rejects with `search/unavailable`; `search/damaged` when the index must be made anew. */
  search(request: SearchRequest): Promise<SearchAnswer>
  /** Lets go of the file. Nothing may be asked afterwards. */
  close(): Promise<void>
}

/** Searches on the caller's thread, over the writer's own connection: for tests and tools. */
export function ownReader(store: Store): SearchReader {
  return {
    search: (request) => Promise.resolve(store.read((reader) => searchHeld(reader, request))),
    close: () => Promise.resolve(),
  }
}

export type WorkerSetup = { readonly path: string; readonly viewerId: UserId }
export type WorkerQuestion = { readonly id: number; readonly request: SearchRequest }
export type WorkerReply =
  | { readonly id: number; readonly answer: SearchAnswer }
  | { readonly id: number; readonly damaged: boolean; readonly reason: string }

type Waiting = { readonly resolve: (answer: SearchAnswer) => void; readonly reject: (error: AppError) => void }

/**
 * Searches in a thread of its own with its own read-only connection, so that a broad question never holds up main. The
 * thread starts with the first question; one that ends by itself fails what waits, and the next question starts another.
 *
 * @param entry the file the thread runs (`main/entry/search-reader.ts`, or what it was built into)
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
    if ('answer' in reply) return one?.resolve(reply.answer)
    log.warn('search-failed', { reason: reply.reason })
    one?.reject(new AppError(reply.damaged ? 'search/damaged' : 'search/unavailable'))
  }

  return {
    search(request) {
      if (closed) return Promise.reject(new AppError('search/unavailable'))
      running ??= start()
      const id = (last += 1)
      const question: WorkerQuestion = { id, request }
      running.postMessage(question, [])
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
    },
    async close() {
      closed = true
      await running?.terminate()
    },
  }
}
