import findMyWay from 'find-my-way'
import type * as v from 'valibot'
import { nextTurn } from '#main/lib/clock.ts'
import type { Endpoint, Method, ParamsOf, ReplyOf } from '#shared/wire/endpoint.ts'
import type { Identity } from './auth/identify.ts'
import { transact, type Services, type Within, type Work } from '../work.ts'
import { ensureUser } from '../users/users.ts'
import { fromEither, type Shape, read } from './shapes.ts'
import type { Json, PartlyWritten } from './json.ts'
import { classOf } from './limits.ts'

/** The input of a handler. */
type RouteInput<Params, Query, Body> = {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The unvalidated body, for custom keys. */
  readonly raw: Json
  readonly who: Identity
  readonly connectionId: string | undefined
}

/** A reply that takes longer than the transaction: `finish` runs once everything is on disk. */
export class Later {
  readonly finish: () => Promise<object>

  constructor(finish: () => Promise<object>) {
    this.finish = finish
  }
}

/** One that needs several turns of this process and nothing from outside: between its steps others are answered. */
export class InSteps extends Later {
  readonly steps: Iterator<undefined, object>

  constructor(steps: Iterator<undefined, object>) {
    super(async () => {
      for (;;) {
        await nextTurn()
        const step = steps.next()
        if (step.done === true) return step.value
      }
    })
    this.steps = steps
  }
}

export type Route = {
  readonly method: Method
  readonly path: string
  readonly operation: string
  /** Accepted without a key or a token. */
  readonly open: boolean
  /** Accepted with only the key, without a token. */
  readonly anonymous?: boolean
  /** What its query and its body are read with. */
  readonly shapes: Shapes<AnySchema, AnySchema>
  run(input: RouteInput<Record<string, string>, Json, Json>, services: Services, within?: Within): unknown
}

type AnySchema = v.GenericSchema<unknown, unknown>
type Shapes<Query extends AnySchema, Body extends AnySchema> = { readonly query?: Query; readonly body?: Body }

/**
 * Binds a handler to an entry of the shared endpoint table: path parameters and the response have the table's types,
 * the query and the body those of the schemas. The handler runs in the request's transaction.
 */
export function route<E extends Endpoint, Query extends AnySchema, Body extends AnySchema>(
  endpoint: E,
  shapes: Shapes<Query, Body>,
  handler: (
    input: RouteInput<ParamsOf<E>, v.InferOutput<Query>, v.InferOutput<Body>>,
    work: Work,
  ) => ReplyOf<E> | PartlyWritten<ReplyOf<E>> | Later,
): Route {
  return {
    method: endpoint.method,
    path: endpoint.path,
    operation: endpoint.operation,
    open: false,
    shapes,
    run(input, services, within = transact) {
      const query = shapes.query ? readEither(shapes.query, input.query, input.raw) : undefined
      const body = shapes.body ? readEither(shapes.body, input.body, input.query) : undefined
      return within(services, (work) => {
        if (isWrite(endpoint)) ensureActor(work, input.who)
        return handler({ ...input, params: input.params as ParamsOf<E>, query, body }, work)
      })
    },
  }
}

/** Clients differ in where they put the arguments of a call: in the query or in the body. */
const readEither = <Schema extends AnySchema>(schema: Schema, own: Json, other: Json): v.InferOutput<Schema> =>
  read(schema, fromEither(schema as unknown as Shape, own, other))

const isWrite = ({ method, operation }: Endpoint): boolean => method !== 'GET' && classOf(operation) !== 'query'

/** A user that a server token acts for is created if missing, since rows (a channel's creator) refer to it. */
function ensureActor(work: Work, who: Identity): void {
  if (who.server && who.userId !== '') ensureUser(work.db, who.userId, work.now)
}

export type Match = { readonly route: Route; readonly params: Record<string, string> }

/** Longer than any id, so that an id that is too long is refused by the rule for ids. */
const MAX_PARAM = 1_024

export function createRouter(routes: readonly Route[]): (method: string, path: string) => Match | undefined {
  const router = findMyWay({ maxParamLength: MAX_PARAM })
  for (const each of routes) router.on(each.method, each.path, () => undefined, each)
  return (method, path) => {
    const found = router.find(method as Method, path)
    return found ? { route: found.store as Route, params: found.params as Record<string, string> } : undefined
  }
}
