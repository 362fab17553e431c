import { perAccount } from './objects.ts'
import type { Thunk } from './store.ts'

/** Work of one account that its engine must have before the window shows another account: sends, saves, copied files. */
export const UNFINISHED = perAccount(() => new Set<Promise<unknown>>())

/** A thunk that a switch of accounts waits for: its later calls and dispatches would reach the other account. */
export function finishedBeforeSwitch<Output>(thunk: Thunk<Promise<Output>>): Thunk<Promise<Output>> {
  return (dispatch, _getState, { objects }) => {
    const unfinished = objects.of(UNFINISHED)
    const work = dispatch(thunk)
    const end = (): void => void unfinished.delete(work)
    unfinished.add(work)
    work.then(end, end)
    return work
  }
}

/** Resolves once nothing of the account on screen is unfinished. */
export const allFinished =
  (): Thunk<Promise<void>> =>
  async (_dispatch, _getState, { objects }) => {
    const unfinished = objects.of(UNFINISHED)
    while (unfinished.size > 0) await Promise.allSettled(unfinished)
  }
