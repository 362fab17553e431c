import type { FileKind } from './database-file.ts'
import { initial as cacheInitial } from '../migrations/cache/0010-initial.ts'
import { search as cacheSearch } from '../migrations/cache/0020-search.ts'
import { reminders } from '../migrations/cache/0030-reminders.ts'
import { repliesByChannel } from '../migrations/cache/0040-replies-by-channel.ts'
import { revisions } from '../migrations/cache/0050-revisions.ts'
import { reactionsByAuthor } from '../migrations/cache/0070-reactions-by-author.ts'
import { pollsFound } from '../migrations/cache/0060-polls-found.ts'
import { emoji } from '../migrations/cache/0080-emoji.ts'
import { tracks } from '../migrations/cache/0090-tracks.ts'
import { cacheSums } from '../migrations/cache/0100-sums.ts'
import { catchUp } from '../migrations/cache/0110-catch-up.ts'
import { threadTitles } from '../migrations/cache/0045-thread-titles.ts'
import { initial as outboxInitial } from '../migrations/outbox/0010-initial.ts'
import { reminderNotes } from '../migrations/outbox/0020-reminder-notes.ts'
import { threadFollows } from '../migrations/outbox/0030-thread-follows.ts'
import { draftHistory } from '../migrations/outbox/0040-draft-history.ts'
import { localReads as withLocalReads } from '../migrations/outbox/0050-kept-reads.ts'
import { refusedMarks } from '../migrations/outbox/0060-refused-marks.ts'
import { sums } from '../migrations/outbox/0070-sums.ts'
import { sumsOfMeta } from '../migrations/outbox/0080-sums-of-meta.ts'

export const CACHE_FILE: FileKind = {
  name: 'cache.db',
  applicationId: 0x50_52_4c_43,
  migrations: [
    cacheInitial,
    cacheSearch,
    reminders,
    repliesByChannel,
    threadTitles,
    revisions,
    pollsFound,
    reactionsByAuthor,
    emoji,
    tracks,
    cacheSums,
    catchUp,
  ],
  onlyAdds: false,
  synchronous: 1,
  secureDelete: true,
  depth: 'tables',
  hasReaders: true,
}

/** The user cleared the cache: its absence needs no notice. */
export const CLEARED_FILE = 'cache.cleared'

export const OUTBOX_FILE: FileKind = {
  name: 'outbox.db',
  applicationId: 0x50_52_4c_4f,
  migrations: [
    outboxInitial,
    reminderNotes,
    threadFollows,
    draftHistory,
    withLocalReads,
    refusedMarks,
    sums,
    sumsOfMeta,
  ],
  onlyAdds: true,
  synchronous: 2,
  secureDelete: false,
  depth: 'whole',
  hasReaders: false,
}
