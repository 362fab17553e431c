import { createHash } from 'node:crypto'

/** The id of the one channel that these users share on our server. See docs/wire.md 8.5 "distinct id". */
export function distinctId(memberIds: readonly string[]): string {
  const sorted = [...new Set(memberIds)].toSorted().join(',')
  return `!members-${createHash('sha256').update(sorted).digest('base64url')}`
}
