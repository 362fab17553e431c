import type { Bridge } from '#shared/bridge/transport.ts'
import type { Push } from '#shared/domain/changes.ts'
import { whenIdle } from '../lib/page/idle.ts'
import { keepSpeed, type SpeedKind } from '../lib/page/speed.ts'
import { accountKeyOf } from '../store/accounts.ts'
import type { AppState, AppStore } from '../store/store.ts'

/** An input this long ago did not cause what happens now. */
const CAUSED_WITHIN_MS = 1_000
/** Nobody waits longer for a row to be drawn: it is not shown here, for example because it will be sent later. */
const GIVEN_UP_MS = 10_000
/** A start that takes longer shows no messages: a page without them, or a sign-in. */
const START_GIVEN_UP_MS = 60_000

type Options = {
  readonly bridge: Pick<Bridge, 'subscribe'>
  readonly store: AppStore
  /** Runs a function right after the next frame is drawn. */
  readonly afterFrame?: (run: () => void) => void
  readonly keep?: (kind: SpeedKind, ms: number) => void
}

/**
 * Measures what a person waits for in this window: from the input, or the arrival of a message, to the end of the first
 * frame that shows its result. The times are those of the platform: of the input event, and of `performance.measure`,
 * which the browser's own tools show too. A hidden window draws nothing, so it measures nothing.
 */
export function measureSpeed(options: Options): () => void {
  const meter = new SpeedMeter(options)
  const { store, bridge } = options
  const stop = new AbortController()
  const listening = { capture: true, signal: stop.signal }
  window.addEventListener('keydown', (event) => meter.pressed(event, event.key === 'Enter'), listening)
  window.addEventListener('click', (event) => meter.pressed(event, true), listening)
  document.addEventListener('visibilitychange', () => meter.forget(), listening)
  const stops = [
    store.subscribe(() => meter.stateChanged(store.getState())),
    bridge.subscribe((push) => meter.pushed(push, store.getState())),
    () => stop.abort(),
    () => meter.forget(),
  ]
  meter.started(store.getState())
  return () => {
    for (const end of stops) end()
  }
}

/** Storing it takes half a millisecond, for which the next frame need not wait. */
const keepWhenIdle = (kind: SpeedKind, ms: number): void => void whenIdle(() => keepSpeed(kind, ms))

class SpeedMeter {
  readonly #afterFrame: (run: () => void) => void
  readonly #keep: (kind: SpeedKind, ms: number) => void
  /** What is waited for. */
  readonly #waits = new Set<{ readonly kind: SpeedKind }>()
  /** Channels that were shown since the start. */
  readonly #seen = new Set<string>()
  #before: AppState
  /** When the last key or click was, and the last that can have sent something. */
  #inputAt = -Infinity
  #sendAt = -Infinity

  constructor({ store, afterFrame = afterNextFrame, keep = keepWhenIdle }: Options) {
    this.#afterFrame = afterFrame
    this.#keep = keep
    this.#before = store.getState()
  }

  /** The page began to load at 0. Its first channel may open after the first render. */
  started(state: AppState): void {
    const cid = channelOf(state)
    if (cid !== undefined) this.#seen.add(cid)
    if (!document.hidden) this.#wait('start', 0, () => document.querySelector(settledList()) !== null)
  }

  /** What comes after an input is no longer the start. */
  pressed({ timeStamp }: Event, canSend: boolean): void {
    this.#end('start')
    this.#inputAt = timeStamp
    if (canSend) this.#sendAt = timeStamp
  }

  stateChanged(state: AppState): void {
    const before = this.#before
    if (state === before) return
    this.#before = state
    if (accountKeyOf(state) !== accountKeyOf(before)) {
      this.forget()
      this.#seen.clear()
    } else if (state.ui !== before.ui) this.#moved(state, before)
    if (state.composers !== before.composers) this.#submitted(state, before)
  }

  /** A message of someone else for the open channel, at its end and in view: one at a time. */
  pushed(push: Push, state: AppState): void {
    if ([...this.#waits].some(({ kind }) => kind === 'arrive')) return
    const { entities, ui } = state
    const cid = ui.route.view === 'channel' ? ui.route.cid : undefined
    if (push.kind !== 'changes' || document.hidden || cid === undefined || ui.atBottom[cid] !== true) return
    const list = state.windows.byKey[`timeline:${cid}`]
    const newest = entities.messages[list?.ids.at(-1) ?? '']
    if (list === undefined || list.hasNext || list.loading !== 'none') return
    const viewer = entities.session['self']?.userId
    const arrived = Object.values(push.changeSet.put.messages ?? {}).find(
      (message) =>
        message.cid === cid &&
        message.userId !== viewer &&
        message.parentId === undefined &&
        entities.messages[message.id] === undefined &&
        message.createdAt > (newest?.createdAt ?? 0),
    )
    if (arrived !== undefined) this.#wait('arrive', performance.now(), () => isRowDrawn(arrived.id))
  }

  /** The window is hidden or shows another account. */
  forget(): void {
    this.#waits.clear()
  }

  #moved(state: AppState, before: AppState): void {
    const cid = channelOf(state)
    if (cid !== channelOf(before)) {
      for (const wait of this.#waits) if (wait.kind !== 'start') this.#waits.delete(wait)
      if (cid !== undefined) this.#switched(cid)
    }
    const [search, last] = [state.ui.search, before.ui.search]
    if (state.ui.route.view !== 'search' || before.ui.route.view !== 'search' || search === last) return
    this.#end('search')
    if (search === undefined || search.text.trim() === '' || search.text === last?.text) return
    if (this.#isCaused(this.#inputAt)) this.#wait('search', this.#inputAt, areResultsDrawn)
  }

  #switched(cid: string): void {
    const kind = this.#seen.has(cid) ? 'again' : 'first'
    this.#seen.add(cid)
    if (this.#isCaused(this.#inputAt)) this.#wait(kind, this.#inputAt, () => isSettled(cid))
  }

  #submitted({ composers }: AppState, { composers: before }: AppState): void {
    for (const [key, { inFlight }] of Object.entries(composers)) {
      const known = before[key]?.inFlight
      if (inFlight === known) continue
      const sent = inFlight.find(({ id }) => known?.some((one) => one.id === id) !== true)
      if (sent !== undefined && this.#isCaused(this.#sendAt)) {
        this.#wait('send', this.#sendAt, () => isRowDrawn(sent.id))
      }
    }
  }

  #isCaused(at: number): boolean {
    return !document.hidden && performance.now() - at < CAUSED_WITHIN_MS
  }

  #end(kind: SpeedKind): void {
    for (const wait of this.#waits) if (wait.kind === kind) this.#waits.delete(wait)
  }

  #wait(kind: SpeedKind, start: number, isDrawn: () => boolean): void {
    const wait = { kind }
    const until = kind === 'start' ? performance.now() + START_GIVEN_UP_MS : start + GIVEN_UP_MS
    this.#waits.add(wait)
    const look = (): void => {
      if (!this.#waits.has(wait)) return
      if (isDrawn()) {
        this.#waits.delete(wait)
        const { duration } = performance.measure(`parlor ${kind}`, { start })
        performance.clearMeasures(`parlor ${kind}`)
        this.#keep(kind, duration)
      } else if (performance.now() > until) this.#waits.delete(wait)
      else this.#afterFrame(look)
    }
    this.#afterFrame(look)
  }
}

const channelOf = ({ ui }: AppState): string | undefined => (ui.route.view === 'channel' ? ui.route.cid : undefined)

/** The list of a channel, or of any, with its messages laid out. */
const settledList = (cid?: string): string =>
  `[data-message-list${cid === undefined ? '' : `="${CSS.escape(cid)}"`}][data-settled]`

const isSettled = (cid: string): boolean => document.querySelector(settledList(cid)) !== null

const isRowDrawn = (id: string): boolean => document.querySelector(`[data-message-id="${CSS.escape(id)}"]`) !== null

const areResultsDrawn = (): boolean => document.querySelector('[data-results][data-answered]') !== null

/** A message to itself is received after the frame that the animation frame belongs to. */
function afterNextFrame(run: () => void): void {
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', run)
    port1.start()
    port2.postMessage(undefined)
  })
}
