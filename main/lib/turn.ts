/** Runs `fn` after the current turn of the event loop, to batch the work of that turn. */
export function endOfTurn(fn: () => void): void {
  setImmediate(fn)
}
