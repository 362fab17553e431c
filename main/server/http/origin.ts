import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

/**
 * Refuses what a web page could send us: a `Host` that is not ours (DNS rebinding) and an `Origin` that was not allowed.
 * Native clients send no origin. Source: reliability paper 5.2 and 2.6.
 */
export function checkOrigin(request: IncomingMessage, baseUrl: string, allowed: ReadonlySet<string>): void {
  const port = new URL(baseUrl).port
  const host = request.headers.host
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) {
    throw new Refusal('notAllowed', 'this host name is not served', { status: 421 })
  }
  const origin = request.headers.origin
  if (origin !== undefined && !allowed.has(origin)) {
    throw new Refusal('notAllowed', 'this origin is not allowed', { status: 403 })
  }
}
