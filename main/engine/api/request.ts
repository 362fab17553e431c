import type { Endpoint, None, Params } from '#shared/wire/endpoint.ts'

type Part<Name extends string, T> = [T] extends [None]
  ? { readonly [K in Name]?: undefined }
  : Partial<T> extends T
    ? { readonly [K in Name]?: T }
    : { readonly [K in Name]: T }

/** Arguments of one endpoint: parameters, query and body exactly where the endpoint declares them. */
export type ApiRequest<Path extends string, Query, Body> = ([keyof Params<Path>] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: Params<Path> }) &
  Part<'query', Query> &
  Part<'body', Body> & {
    readonly signal?: AbortSignal
    /** The channel of the object, if neither path nor body names it: the response must not name another. */
    readonly cid?: string
  }

/** Query values as the contract encodes them: undefined omitted, objects as JSON, `null` as text. docs/wire.md 1.2. */
export function queryText(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    query.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return query.toString()
}

/** The endpoint's path with its parameters percent-encoded. Throws if one is missing, a bug of the caller. */
export function pathOf(endpoint: Endpoint, params: Readonly<Record<string, string>> = {}): string {
  return endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = params[name]
    if (value === undefined || value === '') throw new Error(`Impossible: ${endpoint.operation} without ${name}`)
    return encodeURIComponent(value)
  })
}

/** An address for the log without query, fragment and credentials: they contain tokens and search terms. */
export function printableUrl(url: string): string {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.protocol}//${parsed.host}${parsed.pathname}` : '<not an address>'
}
