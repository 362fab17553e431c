import { useSyncExternalStore } from 'react'
import { useStore } from 'react-redux'
import type { Store } from 'redux'
import type { AppState } from './store.ts'

type Listener = () => void
type Subscribe = (listener: Listener) => () => void

/**
 * A hook that reads a part of the state which changes seldom, and which very many components read. One listener of the store
 * hears for all of them: with a subscription each, every message would ask a hundred of them whether the settings changed.
 *
 * @param select the same value as long as the part has not changed; so must be what the reader takes from it
 */
export function createSeldom<Part>(select: (state: AppState) => Part) {
  const known = new WeakMap<Store<AppState>, Subscribe>()
  function subscriberOf(store: Store<AppState>): Subscribe {
    const subscribe = known.get(store) ?? shared(store, () => select(store.getState()))
    known.set(store, subscribe)
    return subscribe
  }
  return function useSeldom<Value>(read: (part: Part) => Value): Value {
    const store = useStore<AppState>()
    return useSyncExternalStore(subscriberOf(store), () => read(select(store.getState())))
  }
}

function shared(store: Store<AppState>, current: () => unknown): Subscribe {
  const listeners = new Set<Listener>()
  let heard: unknown
  let stop: (() => void) | undefined
  function hear(): void {
    const now = current()
    if (now === heard) return
    heard = now
    for (const listener of listeners) listener()
  }
  return (listener) => {
    listeners.add(listener)
    if (stop === undefined) {
      heard = current()
      stop = store.subscribe(hear)
    }
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      stop?.()
      stop = undefined
    }
  }
}
