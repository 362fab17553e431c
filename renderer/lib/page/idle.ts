/** A page that is never idle, and a hidden one, get to it so much later, in milliseconds. */
const WITHIN_MS = 200

/**
 * Runs what nobody waits for once the page has nothing else to do: the frame that is due is drawn first. Returns how to
 * cancel it.
 */
export function whenIdle(run: () => void): () => void {
  const request = requestIdleCallback(run, { timeout: WITHIN_MS })
  return () => cancelIdleCallback(request)
}
