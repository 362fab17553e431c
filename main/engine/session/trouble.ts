import type { Connection } from '#shared/domain/connection.ts'
import type { Core } from '../core.ts'
import type { Memory } from '../changes/memory.ts'

/** Codes of `errors.json` for connection problems that end without the user. */
export const NOT_RENEWED = 'session/not-renewed'
export const CLOCKS_DIFFER = 'session/clocks-differ'

/** The connection as the user sees it, including problems of requests beside it. */
export function shownConnection({ connection, stillLoading, renewalFails }: Memory): Connection {
  const isStuck = renewalFails && connection.state === 'healthy'
  return {
    ...connection,
    ...(stillLoading.length === 0 ? {} : { stillLoading }),
    ...(isStuck ? { trouble: NOT_RENEWED } : {}),
  }
}

/** Notifies once of each problem that lasts; an interruption of a few seconds is not reported. */
export function createTroubleWatch(core: Pick<Core, 'memory' | 'notify'>): { check(): void } {
  let notified: string | undefined
  return {
    check() {
      const { trouble, offline, state } = shownConnection(core.memory)
      if (trouble === undefined) {
        if (state === 'healthy') notified = undefined
        return
      }
      if (notified === trouble || (!offline && state !== 'healthy')) return
      notified = trouble
      core.notify({ code: trouble, type: 'local:session:trouble', severity: 'warning' })
    },
  }
}
