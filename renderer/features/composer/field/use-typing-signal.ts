import { useEffect, useMemo } from 'react'
import { TYPING_AUTO_STOP_MS, TYPING_RESEND_MS } from '#shared/constants.ts'
import type { Channel } from '#shared/domain/channel.ts'
import { mayPublishTyping, sharesTyping } from '#shared/rules/channels/typing.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import { useConnection, useEngine, useSession, useSettings } from '../../../store/hooks.ts'
import type { Place } from '../place.ts'

type TypingSignal = {
  /** The text changed. Empty text stops the signal. */
  readonly typed: (text: string) => void
  readonly stop: () => void
}

/** Publishes typing.start at most every 2 s, and typing.stop after 1 s without a key. docs/wire.md 7.11. */
export function useTypingSignal(place: Place, channel: Channel): TypingSignal {
  const engine = useEngine()
  const publishTyping = sharesTyping(useSettings(), useSession(), channel.cid)
  const { state } = useConnection()
  const allowed = mayPublishTyping({
    config: channel.config,
    capabilities: channel.capabilities,
    healthy: state === 'healthy',
    publishTyping,
  })
  const signal = useMemo(() => new Signal(engine, place), [engine, place])
  useEffect(() => () => signal.stop(), [signal])
  return useMemo(
    () => ({
      typed: (text) => (allowed && text.trim() !== '' ? signal.start() : signal.stop()),
      stop: () => signal.stop(),
    }),
    [allowed, signal],
  )
}

class Signal {
  readonly #engine: EngineClient
  readonly #place: Place
  #sentAt: number | undefined
  #idle: ReturnType<typeof setTimeout> | undefined

  constructor(engine: EngineClient, place: Place) {
    this.#engine = engine
    this.#place = place
  }

  start(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.stop(), TYPING_AUTO_STOP_MS)
    const now = Date.now()
    if (this.#sentAt !== undefined && now - this.#sentAt < TYPING_RESEND_MS) return
    this.#sentAt = now
    this.#notify(true)
  }

  stop(): void {
    clearTimeout(this.#idle)
    if (this.#sentAt === undefined) return
    this.#sentAt = undefined
    this.#notify(false)
  }

  /** A lost typing signal does no harm: the failure is only logged. */
  #notify(typing: boolean): void {
    const { cid, parentId } = this.#place
    this.#engine.channels
      .typing({ cid, typing, parentId })
      .catch((error: unknown) => console.debug('typing not sent', error))
  }
}
