/** The parts of a request that show its origin. */
export type RequestHead = {
  readonly method: string
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly fetchSite: string | undefined
  readonly fetchMode: string | undefined
  readonly fetchDest: string | undefined
  /** Names of all headers, lower case. */
  readonly names: readonly string[]
}

/** `undefined` allows the request; a number is the status that refuses it. */
type Refusal = 400 | 401 | 403 | 405 | 421 | undefined

const METHODS = new Set(['GET', 'HEAD', 'POST'])

/** Every request except the upgrade. */
export function requestRefusal(head: RequestHead, port: number): Refusal {
  if (!isOwnHost(head.host, port)) return 421
  if (head.method === 'OPTIONS' || head.names.includes('access-control-request-method')) return 403
  if (!METHODS.has(head.method)) return 405
  if (head.origin !== undefined && !ownOrigins(port).includes(head.origin)) return 403
  if (isFromElsewhere(head) && !isTopLevelVisit(head)) return 403
  return undefined
}

/** The upgrade to a WebSocket: the exact origin is required, so that no other page can connect. */
export function upgradeRefusal(head: RequestHead, port: number): Refusal {
  if (!isOwnHost(head.host, port)) return 421
  if (head.method !== 'GET') return 405
  if (head.origin === undefined || head.origin !== `http://${head.host}`) return 403
  if (head.fetchSite !== undefined && head.fetchSite !== 'same-origin') return 403
  return undefined
}

/** A rebound name would have its own Host. The policy allows 127.0.0.1 only, and every URL we create uses it. */
function isOwnHost(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`
}

const ownOrigins = (port: number): string[] => [`http://127.0.0.1:${port}`, `http://localhost:${port}`]

function isFromElsewhere(head: RequestHead): boolean {
  return head.fetchSite !== undefined && head.fetchSite !== 'same-origin' && head.fetchSite !== 'none'
}

/** The redirect file is of another origin and opens this page: a plain visit shows the page, without any rights. */
function isTopLevelVisit(head: RequestHead): boolean {
  return head.method === 'GET' && head.fetchMode === 'navigate' && head.fetchDest === 'document'
}
