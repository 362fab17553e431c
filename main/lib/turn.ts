/** Runs `fn` when the current turn of the event loop is over: what was gathered in it can leave together. */
export function endOfTurn(fn: () => void): void {
  setImmediate(fn)
}
