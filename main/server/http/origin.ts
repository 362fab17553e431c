import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

/**
 * Refuses requests that a web page could send: a `Host` of another name (DNS rebinding) and an `Origin` that was not
 * allowed. Native clients send no origin.
 */
export function checkOrigin(request: IncomingMessage, baseUrl: string, allowed: ReadonlySet<string>): void {
  const port = new URL(baseUrl).port
  // Two Host headers count as none: Node takes the first, another reader might take the last.
  const host = request.headersDistinct['host']?.length === 1 ? request.headers.host : undefined
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) {
    throw new Refusal('notAllowed', 'this host name is not served', { status: 421 })
  }
  const origin = request.headers.origin
  if (origin !== undefined && !allowed.has(origin)) {
    throw new Refusal('notAllowed', 'this origin is not allowed', { status: 403 })
  }
}
