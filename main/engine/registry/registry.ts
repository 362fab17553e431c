import type { Settings } from '#shared/domain/settings.ts'
import { assert } from '#shared/lib/app-error.ts'
import type { Touched } from '#main/cache/tx.ts'
import type { Commit } from '../context.ts'
import type { Core } from '../core.ts'
import type { KindsOfIntents } from '../outbox/kinds.ts'
import type { Appliers } from '../sync/appliers.ts'
import type { EngineHandlers, Feature, Ignored, Offers, Ordered, StartPhase, Step, StopPhase } from './feature.ts'

/** Everything that the features define, and what they make for an engine. */
export type Registry = {
  /** Appliers of events, by the wire's event type. */
  readonly appliers: Appliers
  /** Event types that are ignored on purpose, each with the reason. */
  readonly ignored: Ignored
  readonly kinds: KindsOfIntents<Core>
  readonly create: (core: Core) => Parts
}

/** What the features made for one engine; lists are in the order in which they run. */
export type Parts = {
  readonly calls: EngineHandlers
  readonly offers: Offers
  readonly start: (phase: StartPhase) => readonly (() => unknown)[]
  readonly stop: (phase: StopPhase) => readonly (() => unknown)[]
  readonly onTouched: readonly ((touched: Touched) => void)[]
  readonly onCommit: readonly ((commit: Commit) => void)[]
  readonly onSettings: readonly ((before: Settings) => void)[]
}

/** Events that no feature handles. */
const HANDLED_BEFORE: Ignored = { 'health.check': 'handled by main/engine/realtime: it never reaches the cache' }

/** Joins the objects of all features. The same key twice is a mistake in the source. */
function joined<Value extends object>(what: string, values: readonly (Partial<Value> | undefined)[]): Value {
  const entries = values.flatMap((value) => Object.entries(value ?? {}))
  const keys = entries.map(([key]) => key)
  assert(new Set(keys).size === keys.length, `each of the ${what} is defined once`)
  return Object.fromEntries(entries) as Value
}

/** The same position twice is a mistake in the source: the order would follow from the list of features. */
function inOrder<Run>(what: string, items: readonly Ordered<Run>[]): readonly Run[] {
  assert(new Set(items.map(({ order }) => order)).size === items.length, `each position in ${what} is taken once`)
  return items.toSorted((one, other) => one.order - other.order).map(({ run }) => run)
}

/** The steps of each phase in their order. */
function byPhase<Phase extends string>(what: string, steps: readonly Step<Phase>[]) {
  const phases = new Map(
    [...new Set(steps.map(({ phase }) => phase))].map((phase) => {
      const own = steps.filter((step) => step.phase === phase)
      return [phase, inOrder(`${what} ${phase}`, own)] as const
    }),
  )
  return (phase: Phase) => phases.get(phase) ?? []
}

export function createRegistry(features: readonly Feature[]): Registry {
  const ignored = [HANDLED_BEFORE, ...features.map((feature) => feature.ignored)]
  return {
    appliers: joined<Appliers>(
      'appliers',
      features.map(({ events }) => events),
    ),
    ignored: joined<Ignored>('reasons', ignored),
    kinds: joined<KindsOfIntents<Core>>(
      'kinds of intents',
      features.map(({ kinds }) => kinds),
    ),
    create(core) {
      const live = features.flatMap(({ create }) => create?.(core) ?? [])
      return {
        calls: joined<EngineHandlers>(
          'areas',
          live.map(({ calls }) => calls),
        ),
        offers: joined<Offers>(
          'offers',
          live.map(({ offers }) => offers),
        ),
        start: byPhase(
          'start',
          live.flatMap(({ start = [] }) => start),
        ),
        stop: byPhase(
          'stop',
          live.flatMap(({ stop = [] }) => stop),
        ),
        onTouched: inOrder(
          'onTouched',
          live.flatMap(({ onTouched = [] }) => onTouched),
        ),
        onCommit: inOrder(
          'onCommit',
          live.flatMap(({ onCommit = [] }) => onCommit),
        ),
        onSettings: inOrder(
          'onSettings',
          live.flatMap(({ onSettings = [] }) => onSettings),
        ),
      }
    },
  }
}
