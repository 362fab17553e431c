import { openDb, type Db } from './db.ts'
import { migrate } from './migrate.ts'
import { indexOldMessages } from './tables/words.ts'

const FULL = 2

/**
 * Opens the server's record and proves, after a first write, that every commit waits for the disk: some builds of SQLite
 * quietly lower `synchronous` in WAL mode.
 */
export function openStore(path: string): Db {
  const db = openDb(path)
  try {
    migrate(db)
    indexOldMessages(db)
    db.transaction(() =>
      db.run(`INSERT INTO meta (key, value) VALUES ('opened', '1')
        ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1`),
    )
    if (Number(db.pragma('synchronous')) !== FULL) throw new Error('the store does not wait for the disk')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
