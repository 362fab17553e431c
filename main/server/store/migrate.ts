import { migrate, newestOf, versionOf, type Migration } from '#main/lib/sqlite/migrate.ts'
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
import { review } from './migrations/0160-review.ts'
import { staff } from './migrations/0170-staff.ts'
import { actions } from './migrations/0190-actions.ts'
import { reviewedTexts } from './migrations/0200-reviewed-texts.ts'
import { endedBans } from './migrations/0210-ended-bans.ts'
import { campaignChannels } from './migrations/0230-campaign-channels.ts'
import { notMigrated, StoreTooNew } from './problems.ts'

export const MIGRATIONS: readonly Migration[] = [
  { version: 10, statements: [initial] },
  { version: 20, statements: [conversations] },
  { version: 30, statements: [people] },
  { version: 40, statements: [threads] },
  { version: 50, statements: [threadDetails] },
  { version: 60, statements: [forgottenWords] },
  { version: 70, statements: [attachments] },
  { version: 80, statements: [order] },
  { version: 90, statements: [pictureSizes] },
  { version: 100, statements: [rareRows] },
  { version: 110, statements: [foundQuickly] },
  { version: 120, statements: [privateChannels] },
  { version: 130, statements: [customEmoji] },
  { version: 140, statements: [pollsThatClose] },
  { version: 150, statements: [whoWrote] },
  { version: 160, statements: [review] },
  { version: 170, statements: [staff] },
  { version: 190, statements: [actions] },
  { version: 200, statements: [reviewedTexts] },
  { version: 210, statements: [endedBans] },
  { version: 230, statements: [campaignChannels] },
]

export const NEWEST = newestOf(MIGRATIONS)

/** Migrates the file to the newest schema. Throws {@link StoreTooNew}, or a problem `not-migrated`: it is unchanged. */
export function migrateStore(db: Db, migrations: readonly Migration[] = MIGRATIONS): void {
  if (versionOf(db) > newestOf(migrations)) throw new StoreTooNew()
  try {
    migrate(db, migrations)
  } catch (error) {
    throw notMigrated(error)
  }
}
