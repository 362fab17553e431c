/** The thread beside an account's cache. Started by `main/cache/worker.ts`. */
import { runCacheWorker } from '#main/cache/worker-thread.ts'

runCacheWorker()
