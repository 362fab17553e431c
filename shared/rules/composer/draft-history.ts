export const DRAFT_HISTORY_DAYS = 7
/** Versions of one composer. */
export const MAX_DRAFT_VERSIONS = 100

/** How long a version is extended by additions and small corrections. */
const VERSION_MS = 5 * 60_000
/** Characters (and no more than a third of the text) that a correction may replace without starting a new version. */
const MENDED = 20

/**
 * What happens to the newest version when the composer contains `text`: additions and small corrections extend it;
 * deletions leave it unchanged, because it contains the deleted text; anything else starts a new version.
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

/** Length of the common prefix plus the common suffix of two texts. */
function sameEnds(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let begin = 0
  while (begin < most && one[begin] === other[begin]) begin += 1
  let end = 0
  while (end < most - begin && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1
  return begin + end
}
