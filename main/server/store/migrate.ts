import type { Db } from './db.ts'
import { initial } from './migrations/0010-initial.ts'
import { conversations } from './migrations/0020-conversations.ts'
import { people } from './migrations/0030-people.ts'
import { threads } from './migrations/0040-threads.ts'
import { threadDetails } from './migrations/0050-thread-details.ts'
import { forgottenWords } from './migrations/0060-forgotten-words.ts'
import { attachments } from './migrations/0070-attachments.ts'

/** Forward only, numbered in tens, never edited after release. */
const MIGRATIONS: readonly { readonly version: number; readonly sql: string }[] = [
  { version: 10, sql: initial },
  { version: 20, sql: conversations },
  { version: 30, sql: people },
  { version: 40, sql: threads },
  { version: 50, sql: threadDetails },
  { version: 60, sql: forgottenWords },
  { version: 70, sql: attachments },
]

/** The file was written by a newer Parlor. */
export class StoreTooNew extends Error {
  constructor() {
    super('the data folder was written by a newer Parlor')
    this.name = 'StoreTooNew'
  }
}

/** Brings the file to the newest schema, each step in its own transaction. */
export function migrate(db: Db): void {
  const newest = MIGRATIONS.at(-1)?.version ?? 0
  const found = Number(db.pragma('user_version'))
  if (found > newest) throw new StoreTooNew()
  for (const step of MIGRATIONS) {
    if (step.version <= found) continue
    db.transaction(() => {
      db.exec(step.sql)
      db.pragma(`user_version = ${step.version}`)
    })
  }
}
