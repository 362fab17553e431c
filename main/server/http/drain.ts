import type { Server } from 'node:http'
import { endOfTurn } from '#main/lib/clock.ts'
import type { Services } from '../work.ts'

/** Requests that are running when the server stops may take this long to finish. */
const STOP_WAIT_MS = 3_000

/** Accepts nothing new, lets running requests finish, and cuts those that are too slow. */
export async function drained(http: Server, { clock, log }: Pick<Services, 'clock' | 'log'>): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  // Before all other listeners: one that responds at once leaves no time to set another header.
  http.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  http.on('request', (_request, response) => response.once('close', () => endOfTurn(() => http.closeIdleConnections())))
  http.closeIdleConnections()
  const giveUp = clock.after(STOP_WAIT_MS, () => {
    log.warn('cut-at-stop')
    http.closeAllConnections()
  })
  await closed
  giveUp()
}
