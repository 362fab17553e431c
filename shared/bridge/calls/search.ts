import * as v from 'valibot'
import { cleaned } from '#shared/lib/clean-text.ts'
import { call } from '#shared/lib/contract.ts'
import {
  type KeywordCount,
  type NamesFound,
  type ReactedMessage,
  SEARCH_ORDERS,
  type SearchPage,
  type StorageUse,
} from '#shared/domain/search.ts'
import { cid, key, nothing } from '../schemas.ts'

/** Longer input, such as a pasted page, is refused. */
const typed = v.pipe(v.string(), v.maxLength(1_000), v.transform(cleaned))

const whole = v.pipe(v.number(), v.integer(), v.minValue(0))
const cursor = v.union([
  v.object({ createdAt: v.number(), id: v.pipe(v.string(), v.maxLength(255)) }),
  v.object({ list: whole, from: whole }),
])

const messagesInput = {
  text: typed,
  /** `next` of the previous page, with the same query and order. */
  cursor: v.optional(cursor),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), 20),
  ask: v.optional(v.picklist(['cache', 'server']), 'cache'),
  order: v.optional(v.picklist(SEARCH_ORDERS), 'newest'),
}
const namesInput = {
  text: typed,
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), 10),
}

/** Search for messages, channels and people. */
export const search = {
  /**
   * Messages by text and filters (`from:`, `in:`, `has:`, `is:`, `mentions:`, `before:`, `after:`, `on:`, `during:`,
   * `"a phrase"`, `-not`, `begin*`; grammar and spans in `shared/rules/search/search-query.ts`), newest first or most
   * relevant first. The last word matches as a prefix while it is being typed.  Call twice for the best of both: `ask:
   * 'cache'` returns local results at once; `ask: 'server'` also queries the server, and returns one merged list. It
   * never rejects for lack of a connection (`server: 'unreachable'`). An empty query has no results. Rejects with
   * `search/unavailable`.
   */
  messages: call<SearchPage>()(
    v.object({
      ...messagesInput,
      /** "Search here": only this channel, overriding `in:`. */
      cid: v.optional(cid),
    }),
  ),
  /**
   * People and channels by name: whole names and prefixes first, then initials, substrings and single typos; also
   * across Latin and Cyrillic letters ("zhenya" finds Женя). From the cache only. Rejects with `search/unavailable`.
   */
  names: call<NamesFound>()(v.object(namesInput)),
  /**
   * The viewer's own messages that others reacted to, ordered by newest reaction. From the cache only; `before` is the
   * `at` of the last item.
   */
  reactions: call<readonly ReactedMessage[]>()(
    v.object({
      before: v.optional(v.number()),
      limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), 20),
    }),
  ),
  /**
   * How many of the last fifty messages of others contain one of these keywords, matched as notification keywords are.
   * From the cache only.
   */
  keywords: call<KeywordCount>()(
    v.object({
      keywords: v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(100))), v.maxLength(100)),
    }),
  ),
  /** Disk usage of the history on this device, for the settings `keepMessagesDays` and `cacheBudgetMb`. */
  storage: call<StorageUse>()(nothing),
}

/**
 * The same in another account of this profile, by its own engine; nothing of it is stored anywhere else. Only for
 * windows with the list of accounts. Rejects with `session/no-account` if the account is not in this profile,
 * `session/signed-out` if it has to sign in again, `search/not-open` if it could not be opened.
 */
export const elsewhere = {
  messages: call<SearchPage>()(v.object({ ...messagesInput, key })),
  names: call<NamesFound>()(v.object({ ...namesInput, key })),
}
