import type { Diagnostics } from '#shared/domain/desktop/diagnostics.ts'
import type { Intent } from '#shared/domain/intent.ts'
import * as uploads from '#main/cache/outbox/uploads.ts'
import type { Core } from './core.ts'
import type { EngineConnection } from './context.ts'

type Parts = Pick<Core, 'memory' | 'outbox' | 'ports' | 'recorder' | 'serverNow' | 'stores' | 'syncState' | 'watched'>

/** Diagnostics of one engine, without any content. */
export function diagnose(core: Parts, connection: EngineConnection): Diagnostics {
  const { state, offline, transport, blocked } = core.memory.connection
  const now = core.ports.clock.now()
  const intents = core.outbox.all()
  return {
    at: now,
    connection: {
      state,
      offline,
      transport,
      blocked,
      caughtUp: core.syncState.caughtUp,
      watchedChannels: core.watched.size,
      malformedFrames: connection.malformedFrames?.() ?? 0,
    },
    ...core.recorder.read(),
    queue: {
      byState: tally(intents, (intent) => intent.state),
      byKind: tally(intents, (intent) => intent.kind),
      ...(intents[0] === undefined ? {} : { oldestAt: Math.min(...intents.map((intent) => intent.createdAt)) }),
      stagedBytes: uploads.stagedBytes(core.stores.outbox.reader),
    },
    clockOffsetMs: Math.round(core.serverNow() - now),
  }
}

function tally<Name extends string>(intents: readonly Intent[], nameOf: (intent: Intent) => Name) {
  const counts: Partial<Record<Name, number>> = {}
  for (const intent of intents) counts[nameOf(intent)] = (counts[nameOf(intent)] ?? 0) + 1
  return counts
}
