import type { StoreReport } from '#main/cache/open.ts'
import type { Engine } from '#main/engine/engine.ts'

/** Damage that was repaired at the start is told once, in plain words. Source: reliability promises R17 to R19. */
export function tellRepairs(engine: Pick<Engine, 'notify'>, { cache, outbox }: StoreReport): void {
  if (outbox.state === 'salvaged') {
    engine.notify({
      code: 'store/outbox-salvaged',
      params: { recovered: outbox.recovered, missing: outbox.missing },
      type: 'local:outbox:salvaged',
      severity: outbox.missing > 0 ? 'error' : 'warning',
    })
  }
  // A file that is simply not there was cleared away by hand: nothing was damaged.
  if (cache.state === 'rebuilt' && cache.problem !== 'missing') {
    engine.notify({ code: 'store/cache-rebuilt', type: 'local:cache:rebuilt', severity: 'info' })
  }
}
