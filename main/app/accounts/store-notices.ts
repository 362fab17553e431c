import type { Stores } from '#main/cache/files/open.ts'
import type { Engine } from '#main/engine/engine.ts'

/** Notifies of damage that was repaired while opening an account. */
export function notifyRepairs(engine: Pick<Engine, 'notify'>, { report, copied }: Stores): void {
  const { cache, outbox } = report
  if (copied) {
    const code = copied.reason === 'disk/full' ? 'store/no-room' : 'store/reading-only'
    engine.notify({ code, type: 'local:store:reading-only', severity: 'warning', lasting: true })
  }
  if (outbox.state === 'salvaged') {
    engine.notify({
      code: 'store/outbox-salvaged',
      params: { recovered: outbox.recovered, missing: outbox.missing },
      type: 'local:outbox:salvaged',
      severity: outbox.missing > 0 ? 'error' : 'warning',
    })
  }
  if (cache.state === 'rebuilt') {
    const code = cache.problem === 'missing' ? 'store/cache-gone' : 'store/cache-rebuilt'
    engine.notify({ code, type: 'local:cache:rebuilt', severity: 'info' })
  }
}
