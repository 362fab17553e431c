import * as v from 'valibot'
import { getOg } from '#shared/wire/og.ts'
import type { Route } from '../http/router.ts'
import { read } from '../http/shapes.ts'

const query = v.looseObject({ url: v.pipe(v.string(), v.minLength(1), v.maxLength(2_048)) })

/** The only call that waits for another server, so it runs outside of any transaction. See docs/wire.md 3.1. */
export const ogRoutes: readonly Route[] = [
  {
    method: getOg.method,
    path: getOg.path,
    operation: getOg.operation,
    open: false,
    shapes: { query },
    run: (input, { previews }) => previews.find(read(query, input.query).url),
  },
]
