import findMyWay from 'find-my-way'
import type * as v from 'valibot'
import type { Endpoint, Method, ParamsOf, ReplyOf } from '#shared/wire/endpoint.ts'
import type { Identity } from './auth/identify.ts'
import { transact, type Services, type Within, type Work } from '../work.ts'
import { ensureUser } from '../users/users.ts'
import { fromEither, type Shape } from './absent.ts'
import type { Json } from './json.ts'
import { classOf } from './limits.ts'
import { read } from './shapes.ts'

/** What a handler is given. */
type Ask<Params, Query, Body> = {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The body as it came, for custom keys. */
  readonly raw: Json
  readonly who: Identity
  readonly connectionId: string | undefined
}

export type Route = {
  readonly method: Method
  readonly path: string
  readonly operation: string
  /** Answered without a key or a token. */
  readonly open: boolean
  /** Answered with the key alone, to someone without a token. */
  readonly anonymous?: boolean
  /** What its query and its body are read with. */
  readonly shapes: Shapes<AnySchema, AnySchema>
  run(ask: Ask<Record<string, string>, Json, Json>, services: Services, within?: Within): unknown
}

type AnySchema = v.GenericSchema<unknown, unknown>
type Shapes<Query extends AnySchema, Body extends AnySchema> = { readonly query?: Query; readonly body?: Body }

/**
 * Binds a handler to a line of the shared endpoint table: path parameters and the answer have the table's types, query
 * and body what the schemas let through. The handler runs in the request's transaction.
 */
export function route<E extends Endpoint, Query extends AnySchema, Body extends AnySchema>(
  endpoint: E,
  shapes: Shapes<Query, Body>,
  handler: (ask: Ask<ParamsOf<E>, v.InferOutput<Query>, v.InferOutput<Body>>, work: Work) => ReplyOf<E>,
): Route {
  return {
    method: endpoint.method,
    path: endpoint.path,
    operation: endpoint.operation,
    open: false,
    shapes,
    run(ask, services, within = transact) {
      const query = shapes.query ? readEither(shapes.query, ask.query, ask.raw) : undefined
      const body = shapes.body ? readEither(shapes.body, ask.body, ask.query) : undefined
      return within(services, (work) => {
        if (isWrite(endpoint)) ensureActor(work, ask.who)
        return handler({ ...ask, params: ask.params as ParamsOf<E>, query, body }, work)
      })
    },
  }
}

/** Clients differ in where they put what a call takes: beside the path, or in the body. */
const readEither = <Schema extends AnySchema>(schema: Schema, own: Json, other: Json): v.InferOutput<Schema> =>
  read(schema, fromEither(schema as unknown as Shape, own, other))

const isWrite = ({ method, operation }: Endpoint): boolean => method !== 'GET' && classOf(operation) !== 'query'

/** Whom a server token acts for exists from then on, as whom it says has made a channel. */
function ensureActor(work: Work, who: Identity): void {
  if (who.server && who.userId !== '') ensureUser(work.db, who.userId, work.now)
}

export type Match = { readonly route: Route; readonly params: Record<string, string> }

/** Longer than any id, so that a too long one is refused by its own rule. */
const MAX_PARAM = 1_024

export function createRouter(routes: readonly Route[]): (method: string, path: string) => Match | undefined {
  const router = findMyWay({ maxParamLength: MAX_PARAM })
  for (const each of routes) router.on(each.method, each.path, () => undefined, each)
  return (method, path) => {
    const found = router.find(method as Method, path)
    return found ? { route: found.store as Route, params: found.params as Record<string, string> } : undefined
  }
}
