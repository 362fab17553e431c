import * as v from 'valibot'
import { cleaned } from '#shared/lib/clean-text.ts'
import { call } from '#shared/lib/contract.ts'
import type { KeywordCount, NamesFound, ReactedMessage, SearchPage, StorageUse } from '#shared/domain/search.ts'
import { cid, nothing } from '../schemas.ts'

/** Longer than anyone types; a pasted page is cut here. */
const typed = v.pipe(v.string(), v.maxLength(1_000), v.transform(cleaned))

const cursor = v.object({ createdAt: v.number(), id: v.pipe(v.string(), v.maxLength(255)) })

/** Finding what was written, and where and who. */
export const search = {
  /**
   * Messages by words and filters (`from:`, `in:`, `has:`, `is:`, `mentions:`, `before:`, `after:`, `on:`, `during:`,
   * `"a phrase"`, `-not`, `begin*`; grammar and spans in `shared/rules/search/search-query.ts`), newest first. The last word is
   * taken as a beginning while it is being typed.
   *
   * Ask twice for the best of both: `ask: 'cache'` answers at once from this computer; `ask: 'server'` also asks the
   * server, and answers the one list of both. It never rejects for want of a line (`server: 'unreachable'`). An empty
   * question finds nothing. Rejects with `search/unavailable`.
   */
  messages: call<SearchPage>()(
    v.object({
      text: typed,
      /** "Search here": only this channel, whatever `in:` says. */
      cid: v.optional(cid),
      /** `next` of the page before, with the same question. */
      cursor: v.optional(cursor),
      limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), 20),
      ask: v.optional(v.picklist(['cache', 'server']), 'cache'),
    }),
  ),
  /**
   * People and channels by name: whole names and beginnings first, then initials, parts and a slip of the finger; also
   * across Latin and Cyrillic letters ("zhenya" finds Женя). From this computer alone. Rejects with `search/unavailable`.
   */
  names: call<NamesFound>()(
    v.object({
      text: typed,
      limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), 10),
    }),
  ),
  /**
   * The viewer's own messages that others reacted to, by their newest reaction. From this computer alone; `before` is the
   * `at` of the last one.
   */
  reactions: call<readonly ReactedMessage[]>()(
    v.object({
      before: v.optional(v.number()),
      limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), 20),
    }),
  ),
  /**
   * Of the last fifty messages of others, how many have one of these words, as the keywords of the notifications are
   * compared. From this computer alone.
   */
  keywords: call<KeywordCount>()(
    v.object({
      keywords: v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(100))), v.maxLength(100)),
    }),
  ),
  /** What the history takes on this computer, for the settings `keepMessagesDays` and `cacheBudgetMb`. */
  storage: call<StorageUse>()(nothing),
}
