/** Sent messages after which the hint about line breaks is hidden. */
const LEARNED_AFTER = 10
const KEY = 'parlor.composer.sends'

export function hasLearnedEnter(): boolean {
  return readCount() >= LEARNED_AFTER
}

export function rememberSend(): void {
  const count = readCount()
  if (count >= LEARNED_AFTER) return
  try {
    localStorage.setItem(KEY, String(count + 1))
  } catch (reason) {
    console.debug('send count not saved', reason)
  }
}

/** Storage may be unavailable; the hint then stays. */
function readCount(): number {
  try {
    const count = Number(localStorage.getItem(KEY))
    return Number.isInteger(count) ? count : 0
  } catch {
    return 0
  }
}
