import type { Connection } from '#shared/domain/connection.ts'
import type { Core } from '../core.ts'
import type { Memory } from '../changes/memory.ts'

/** Codes of `errors.json` for what stands between a person and the server, and passes without them. */
export const NOT_RENEWED = 'session/not-renewed'
export const CLOCKS_DIFFER = 'session/clocks-differ'

/** The line as people are shown it: also with what only the calls beside it have met. */
export function shownConnection({ connection, stillLoading, renewalFails }: Memory): Connection {
  const isStuck = renewalFails && connection.state === 'healthy'
  return {
    ...connection,
    ...(stillLoading.length === 0 ? {} : { stillLoading }),
    ...(isStuck ? { trouble: NOT_RENEWED } : {}),
  }
}

/** Notifies once of each trouble that lasts; a line that comes back within seconds is worth no word. */
export function createTroubleWatch(core: Pick<Core, 'memory' | 'notify'>): { look(): void } {
  let notified: string | undefined
  return {
    look() {
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
