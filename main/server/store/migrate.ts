import type { Db } from './db.ts'
import { initial } from './migrations/0010-initial.ts'
import { conversations } from './migrations/0020-conversations.ts'
import { people } from './migrations/0030-people.ts'
import { threads } from './migrations/0040-threads.ts'
import { threadDetails } from './migrations/0050-thread-details.ts'
import { forgottenWords } from './migrations/0060-forgotten-words.ts'
import { attachments } from './migrations/0070-attachments.ts'
import { order } from './migrations/0080-order.ts'
import { pictureSizes } from './migrations/0090-picture-sizes.ts'
import { rareRows } from './migrations/0100-rare-rows.ts'
import { foundQuickly } from './migrations/0110-found-quickly.ts'
import { privateChannels } from './migrations/0120-private-channels.ts'
import { customEmoji } from './migrations/0130-custom-emoji.ts'
import { pollsThatClose } from './migrations/0140-polls-that-close.ts'
import { whoWrote } from './migrations/0150-who-wrote.ts'
import { notMigrated, StoreTooNew } from './problems.ts'

export type Migration = { readonly version: number; readonly sql: string }

/** Forward only, numbered in tens, never edited after release. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 10, sql: initial },
  { version: 20, sql: conversations },
  { version: 30, sql: people },
  { version: 40, sql: threads },
  { version: 50, sql: threadDetails },
  { version: 60, sql: forgottenWords },
  { version: 70, sql: attachments },
  { version: 80, sql: order },
  { version: 90, sql: pictureSizes },
  { version: 100, sql: rareRows },
  { version: 110, sql: foundQuickly },
  { version: 120, sql: privateChannels },
  { version: 130, sql: customEmoji },
  { version: 140, sql: pollsThatClose },
  { version: 150, sql: whoWrote },
]

export const newestOf = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? 0

export const NEWEST = newestOf(MIGRATIONS)

export const versionOf = (db: Pick<Db, 'pragma'>): number => Number(db.pragma('user_version'))

/**
 * Migrates the file to the newest schema in one transaction: when a step fails, the file is unchanged.
 * Throws {@link StoreTooNew}, or a problem `not-migrated`.
 */
export function migrate(db: Db, migrations: readonly Migration[] = MIGRATIONS): void {
  const found = versionOf(db)
  if (found > newestOf(migrations)) throw new StoreTooNew()
  const steps = migrations.filter((step) => step.version > found)
  if (steps.length === 0) return
  try {
    db.transaction(() => {
      for (const step of steps) db.exec(step.sql)
      db.pragma(`user_version = ${newestOf(migrations)}`)
    })
  } catch (error) {
    throw notMigrated(error)
  }
}
