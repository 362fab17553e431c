export const DRAFT_HISTORY_DAYS = 7
/** Of one composer. */
export const VERSIONS_KEPT = 100

/** So long one version takes up what is added and mended. */
const VERSION_MS = 5 * 60_000
/** So many characters, and no more than a third, may be mended without the words before becoming a version of their own. */
const MENDED = 20

/**
 * What becomes of the newest version when the composer holds `text`: it grows with words that are added, and with small
 * mendings; words taken away leave it as it is, because it holds them; anything else begins a new version.
 */
export function nextVersion(
  last: { readonly text: string; readonly beganAt: number } | undefined,
  text: string,
  now: number,
): 'keep' | 'grow' | 'add' {
  if (text.trim() === '' || text === last?.text) return 'keep'
  if (last === undefined) return 'add'
  const same = sameEnds(last.text, text)
  if (same >= text.length) return 'keep'
  const mended = last.text.length - same
  const isSmall = mended <= Math.min(MENDED, last.text.length / 3) && text.length >= last.text.length
  const grows = same >= last.text.length
  return (grows || isSmall) && now - last.beganAt < VERSION_MS ? 'grow' : 'add'
}

/** How many characters two texts share at their beginning and their end together. */
function sameEnds(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let begin = 0
  while (begin < most && one[begin] === other[begin]) begin += 1
  let end = 0
  while (end < most - begin && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1
  return begin + end
}
