import { mkdirSync } from 'node:fs'
import { systemClock } from '#main/lib/clock.ts'
import { systemIds } from '#main/lib/ids.ts'
import { silentSink } from '#main/lib/logger.ts'
import { startServer } from '#main/server/app.ts'
import { type SeedMessage, applyPlan } from '#main/server/seed/plan.ts'
import { SEED_MAX_MINUTES } from '#main/server/seed/plan.ts'
import { transact } from '#main/server/work.ts'
import { API_KEY, SECRET } from './processes.ts'

/** How many messages the channel `team:deep` has; the text of number n is `Number n of the deep channel`. */
export const DEEP = 20_000
export const DEEP_CID = 'team:deep'
export const SIDE_CID = 'team:side'

/** The id of number n. */
export const deepId = (n: number): string => `deep-${String(n).padStart(5, '0')}`

/** Messages with something special below them, by their numbers. */
export const PINNED = 150
export const QUOTED = 2_500
/** The newest but five quotes {@link QUOTED}. */
export const QUOTING = DEEP - 5

/** Two that mention alice, by bob. */
export const MENTIONS = [5_000, 5_012] as const

/** Writes a channel of {@link DEEP} messages between alice and bob, and a small second one, into a server's folder. */
export async function seedDeepChannel(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const ports = { clock: systemClock, ids: systemIds, log: silentSink }
  const server = await startServer({ port: 0, dataFolder: folder, apiKey: API_KEY, secret: SECRET, ...ports })
  try {
    transact(server.services, (work) =>
      applyPlan(
        work.db,
        {
          people: [
            { id: 'alice', name: 'Alice', language: 'en' },
            { id: 'bob', name: 'Bob', language: 'en' },
          ],
          channels: ['deep', 'side'].map((id) => ({
            type: 'team' as const,
            id,
            name: id,
            memberIds: ['alice', 'bob'],
            createdBy: 'alice',
          })),
          messages: [...deep(), ...side()],
          polls: [],
          reads: [],
        },
        work.now,
        () => {
          throw new Error('This seed has no files')
        },
      ),
    )
  } finally {
    await server.stop()
  }
}

/** Minutes between two messages. */
export const STEP = (SEED_MAX_MINUTES - 60) / DEEP

const isMention = (n: number): boolean => MENTIONS.some((one) => one === n)

function deep(): SeedMessage[] {
  return Array.from({ length: DEEP }, (_, index) => {
    const n = index + 1
    return {
      id: deepId(n),
      cid: DEEP_CID,
      userId: n % 3 === 0 ? 'alice' : 'bob',
      // Minutes before now.
      at: 30 + (DEEP - n) * STEP,
      text: `${isMention(n) ? '@Alice ' : ''}Number ${n} of the deep channel${' and some more words'.repeat(n % 9)}`,
      mentionedUserIds: isMention(n) ? ['alice'] : undefined,
      pinned: n === PINNED ? true : undefined,
      quotedId: n === QUOTING ? deepId(QUOTED) : undefined,
    }
  })
}

const side = (): SeedMessage[] =>
  Array.from({ length: 30 }, (_, index) => ({
    id: `side-${index + 1}`,
    cid: SIDE_CID,
    userId: 'bob',
    at: 60 - index,
    text: `Side ${index + 1}`,
  }))
