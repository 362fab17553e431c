import type { Contract, HandlersOf } from '#shared/bridge/index.ts'
import type { IntentKind } from '#shared/domain/intent.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { WireEventType } from '#shared/wire/events.ts'
import { assert } from '#shared/lib/app-error.ts'
import type { Touched } from '#main/cache/store.ts'
import type { CallContext, Commit } from '../context.ts'
import type { Core } from '../core.ts'
import type { KindOfIntent, KindsOfIntents } from '../outbox/outbox.ts'
import type { Appliers } from '../sync/ingest.ts'

/** Bridge areas that the application handles around its engines. */
type Around =
  | 'app'
  | 'certificates'
  | 'data'
  | 'desktop'
  | 'elsewhere'
  | 'lock'
  | 'notifications'
  | 'session'
  | 'settings'
  | 'imports'
  | 'moving'
  | 'sharing'
  | 'updates'

/** Calls of windows that the engine handles, by area of the bridge. */
export type EngineHandlers = {
  readonly [Area in Exclude<keyof Contract, Around>]: HandlersOf<Area, CallContext>
}

/**
 * Methods of the engine for the application, besides those of {@link Engine} itself. A feature declares its own by
 * extending this.
 */
export interface Offers {}

/** Reasons why events of these types have no applier. */
type Ignored = { readonly [Type in WireEventType]?: string }

/**
 * When a step runs at the start of an engine:
 *
 * - `before-queue`: intents of the last run are read and none is in flight, but due ones are not released yet;
 * - `before-connection`: due intents are released and cached ranges are marked as possibly outdated;
 * - `last`: the connection is being opened, and commits are announced.
 */
type StartPhase = 'before-queue' | 'before-connection' | 'last'

/**
 * When a step runs at the end of an engine:
 *
 * - `flush`: everything still works: what was delayed is stored or queued now;
 * - `timers`: nothing new is begun anymore; after this the engine's requests are aborted;
 * - `memory`: requests and the queue have ended and windows receive nothing more; the databases are still open.
 */
type StopPhase = 'flush' | 'timers' | 'memory'

/** Lower first. The same number twice is refused. */
type Ordered<Run> = { readonly order: number; readonly run: Run }
/** `order` is its position in its phase. A step that the disk refuses is repeated, so it must bear that. */
type Step<Phase> = Ordered<() => unknown> & { readonly phase: Phase }

/** What a feature does at certain times in the life of an engine. */
type Times = {
  readonly start?: readonly Step<StartPhase>[]
  readonly stop?: readonly Step<StopPhase>[]
  /** After every commit of either database, from the start on. */
  readonly onTouched?: readonly Ordered<(touched: Touched) => void>[]
  /** After the changes of one turn were sent to the windows. */
  readonly onCommit?: readonly Ordered<(commit: Commit) => void>[]
  /** Settings have changed. */
  readonly onSettings?: readonly Ordered<(before: Settings) => void>[]
}

/** What a feature makes for one engine, by the areas and offers that it owns. */
type LiveOf<Area extends keyof EngineHandlers, Offer extends keyof Offers> = Times & {
  readonly calls?: { readonly [Each in Area]: EngineHandlers[Each] }
  readonly offers?: { readonly [Each in Offer]: Offers[Each] }
}

/** What one feature adds to the engine, by what it owns. */
type FeatureOf<Kind extends IntentKind, Area extends keyof EngineHandlers, Offer extends keyof Offers> = {
  readonly events?: Appliers
  readonly ignored?: Ignored
  readonly kinds?: { readonly [Each in Kind]: KindOfIntent<Each, Core> }
  /** Runs once for each engine. Takes the parts of it that the feature needs. */
  readonly create?: (core: Core) => LiveOf<Area, Offer>
}

type Live = Times & { readonly calls?: Partial<EngineHandlers>; readonly offers?: Partial<Offers> }

/** What one feature adds to the engine. */
export type Feature = {
  readonly events?: Appliers
  readonly ignored?: Ignored
  readonly kinds?: { readonly [Kind in IntentKind]?: KindOfIntent<Kind, Core> }
  readonly create?: (core: Core) => Live
}

/** Defines what a feature adds to the engine; features/index.ts lists the features. */
export const defineFeature = <
  Kind extends IntentKind = never,
  Area extends keyof EngineHandlers = never,
  Offer extends keyof Offers = never,
>(
  feature: FeatureOf<Kind, Area, Offer>,
): FeatureOf<Kind, Area, Offer> => feature

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
