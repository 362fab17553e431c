import { expect } from 'vitest'
import type { Reply } from './foreign.ts'
import type { Stage } from './stage.ts'

/** One check, for any server of the contract. */
export type Check = {
  /** Why another server may differ by design: run against Parlor's own server only. */
  readonly localOnly?: string
  /** Milliseconds it has to wait: skipped where a server by URL is given less. */
  readonly needs?: number
  run(stage: Stage): Promise<void>
}

export type Checks = Readonly<Record<number, Check>>

export function refused(reply: Reply, status: number, code: number, text = /\S/): void {
  expect(reply.status).toEqual(status)
  expect(reply.body['code']).toEqual(code)
  expect(reply.body['StatusCode']).toEqual(status)
  expect(reply.body['message']).toMatch(text)
}

/** Repeats until the response is right; another server may do the same a little later. */
export async function eventually<T>(ask: () => Promise<T>, right: (value: T) => boolean, withinMs = 5_000): Promise<T> {
  const until = performance.now() + withinMs
  for (;;) {
    const value = await ask()
    if (right(value) || performance.now() > until) return value
  }
}
