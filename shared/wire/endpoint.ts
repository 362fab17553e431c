/** One line of the server contract. The path's `:names` become typed parameters; body, query and reply are given. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

export type Params<Path extends string> = { readonly [Name in ParamNames<Path>]: string }

export type Endpoint<Path extends string = string, Query = unknown, Body = unknown, Reply = unknown> = {
  readonly method: Method
  readonly path: Path
  /** Name used in the server's error texts: `<operation> failed with error: "…"`. */
  readonly operation: string
  readonly types?: { readonly query: Query; readonly body: Body; readonly reply: Reply }
}

export type QueryOf<E> = E extends Endpoint<string, infer Query, unknown, unknown> ? Query : never
export type ReplyOf<E> = E extends Endpoint<string, unknown, unknown, infer Reply> ? Reply : never
export type ParamsOf<E> = E extends Endpoint<infer Path, unknown, unknown, unknown> ? Params<Path> : never

/** The type of an endpoint without that part. */
export type None = undefined

/** Declares an endpoint: `endpoint('POST', '/channels', 'QueryChannels')<None, QueryChannelsBody, QueryChannelsReply>()`. */
export const endpoint =
  <Path extends string>(method: Method, path: Path, operation: string) =>
  <Query, Body, Reply>(): Endpoint<Path, Query, Body, Reply & { readonly duration?: string }> => ({
    method,
    path,
    operation,
  })

/** Cursors of message pages: channel query `messages`, and replies. At most one of them. See docs/wire.md 6.4. */
export type MessagePage = {
  limit?: number
  id_lt?: string
  id_lte?: string
  id_gt?: string
  id_gte?: string
  id_around?: string
  created_at_before?: string
  created_at_before_or_equal?: string
  created_at_after?: string
  created_at_after_or_equal?: string
  created_at_around?: string
}

export type SortField = { field: string; direction: 1 | -1 }
export type Filter = { readonly [key: string]: unknown }

/** Body of the lists with cursors. At most one of `next` and `prev`. See docs/wire.md 6.4 "cursor". */
export type CursorBody = {
  filter?: Filter
  sort?: readonly SortField[]
  limit?: number
  next?: string
  prev?: string
}

/** Absent: there are no further pages in that direction. */
export type CursorReply = { next?: string; prev?: string }
