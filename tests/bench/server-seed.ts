import { mkdirSync } from 'node:fs'
import { systemClock } from '#main/lib/clock.ts'
import { systemIds } from '#main/lib/ids.ts'
import { silentSink } from '#main/lib/logger.ts'
import { startServer } from '#main/server/app.ts'
import { applyPlan } from '#main/server/seed/plan.ts'
import { transact, type Work } from '#main/server/work.ts'
import { planOf, type SeedSize } from './seeds.ts'

export const API_KEY = 'bench-key'
export const SECRET = 'a-secret-of-at-least-thirty-two-characters'

/** Writes a seed into a server's folder, as the demo is written; then `more`. */
export async function seedServer(folder: string, size: SeedSize, more?: (work: Work) => void): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const ports = { clock: systemClock, ids: systemIds, log: silentSink }
  const server = await startServer({ port: 0, dataFolder: folder, apiKey: API_KEY, secret: SECRET, ...ports })
  try {
    const nothing = (): never => {
      throw new Error('A bench seed has no files')
    }
    transact(server.services, (work) => applyPlan(work.db, planOf(size), work.now, nothing))
    if (more !== undefined) transact(server.services, more)
  } finally {
    await server.stop()
  }
}
