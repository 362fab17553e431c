import { stage, transact, type Services, type Staged, type Within } from '../work.ts'

/** The most requests of one turn that share a transaction. */
const MAX_GROUP = 32

/** Runs a request's step in one transaction with others of the same turn; resolves once it is on disk. */
export type GroupCommit = <T>(run: (within: Within) => T) => Promise<T>

type Waiting = {
  readonly run: (within: Within) => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}
type Done = Waiting & { readonly outcome: Outcome }
type Outcome = { readonly value?: unknown; readonly error?: unknown; readonly staged: readonly Staged<unknown>[] }

/**
 * Syncing to disk dominates the time of a small request, so requests of one turn of the event loop share one commit.
 * Each has its own savepoint: a refused one is rolled back and the others continue. Responses and events are sent after
 * the commit, in the order of the requests. When the commit itself fails, all of them fail.
 *
 * A step that also changes something after its commit, like joining or leaving a channel, ends the transaction, since
 * the next request depends on that change.
 */
export function createGroupCommit(services: Services, endOfTurn: (fn: () => void) => void): GroupCommit {
  let waiting: Waiting[] = []
  function commitAll(): void {
    const queue = waiting
    waiting = []
    while (queue.length > 0) commitSome(services, queue)
    // Before the responses, which are sent once this turn is over: many wait for an event, and one for its response.
    services.hub.flush()
  }
  return <T>(run: (within: Within) => T) =>
    new Promise<T>((resolve, reject) => {
      if (waiting.length === 0) endOfTurn(commitAll)
      waiting.push({ run, resolve: resolve as Waiting['resolve'], reject })
    })
}

/** Commits some requests from the front of the queue, at least one. */
function commitSome(services: Services, queue: Waiting[]): void {
  const [first] = queue
  if (first && queue.length === 1) {
    queue.shift()
    return settle({ ...first, outcome: attempt(() => first.run(transact)) })
  }
  const done: Done[] = []
  try {
    services.db.transaction(() => fill(services, queue, done))
  } catch (error) {
    for (const each of done) each.reject(each.outcome.error ?? error)
    return
  }
  for (const each of done) settle(each)
}

function fill(services: Services, queue: Waiting[], done: Done[]): void {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { run } = next
    const staged: Staged<unknown>[] = []
    const outcome = attempt(() =>
      run((within, step) => {
        const one = stage(within, step)
        staged.push(one)
        return one.result
      }),
    )
    done.push({ ...next, outcome: { ...outcome, staged } })
    // A full or broken disk rolls back the whole transaction, including earlier requests.
    if (!services.db.isInTransaction()) throw outcome.error
    if (done.length === MAX_GROUP || staged.some((one) => one.changesMore)) return
  }
}

function attempt(run: () => unknown): Outcome {
  try {
    return { value: run(), staged: [] }
  } catch (error) {
    return { error, staged: [] }
  }
}

function settle({ outcome, resolve, reject }: Done): void {
  try {
    for (const one of outcome.staged) one.finish()
    if ('error' in outcome) reject(outcome.error)
    else resolve(outcome.value)
  } catch (error) {
    reject(error)
  }
}
