import type { UnknownAction } from '@reduxjs/toolkit'
import type { Window, WindowKey } from '#shared/domain/changes.ts'
import { isSameWindow } from '#shared/rules/messages/message-ranges.ts'
import { changesApplied, replicaAttached } from '../changes.ts'

/** Open windows of the engine, and how often this page has attached (hooks open theirs again when it rises). */
type WindowsState = {
  readonly byKey: Readonly<Record<string, Window>>
  readonly attachCount: number
}

const empty: WindowsState = { byKey: {}, attachCount: 0 }

/** By hand, as the tables in entities.ts: with drafts each event would freeze the ids of its window. */
export function windowsReducer(state: WindowsState = empty, action: UnknownAction): WindowsState {
  if (replicaAttached.match(action)) {
    return { byKey: byKeyOf(action.payload.windows), attachCount: state.attachCount + 1 }
  }
  if (!changesApplied.match(action)) return state
  const { windows, closed } = action.payload
  if (windows.length === 0 && closed.length === 0) return state
  const byKey: Record<string, Window> = { ...state.byKey }
  for (const key of closed) delete byKey[key]
  for (const window of windows) {
    const existing = byKey[window.key]
    // An equal window keeps its identity, so that nothing re-renders.
    if (existing === undefined || !isSameWindow(existing, window)) byKey[window.key] = window
  }
  return { ...state, byKey }
}

function byKeyOf(windows: readonly Window[]): Record<string, Window> {
  return Object.fromEntries(windows.map((window) => [window.key satisfies WindowKey, window]))
}
