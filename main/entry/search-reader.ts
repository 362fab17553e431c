/** The thread that searches an account's cache. Started by `main/cache/search/reader.ts`. */
import { runSearchWorker } from '#main/cache/search/worker.ts'

runSearchWorker()
