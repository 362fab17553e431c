import { endpoint, type None } from './endpoint.ts'
import type { WireMessage } from './objects.ts'
import type { Filter, SortField } from './pagination.ts'

type SearchPayload = {
  /** Channel filter. */
  filter_conditions: Filter
  /** Whole words, all of them must match. Either this or `message_filter_conditions`. */
  query?: string
  message_filter_conditions?: Filter
  sort?: readonly SortField[]
  limit?: number
  /** Not together with `next` or `sort`. */
  offset?: number
  next?: string
}

/** See docs/wire.md 3.12. */
export const search = endpoint('GET', '/search', 'Search')<
  { payload: SearchPayload },
  None,
  { results: readonly { message: WireMessage }[]; next?: string; previous?: string }
>()
