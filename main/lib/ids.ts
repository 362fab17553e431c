import { randomUUID, createHash } from 'node:crypto'

/** Ids and random numbers. Tests use a seeded source. */
export type Ids = {
  /** A version 4 UUID. */
  uuid(): string
  /** 0 up to, not including, 1. */
  random(): number
}

export const systemIds: Ids = { uuid: () => randomUUID(), random: () => Math.random() }

/** The id of the one channel that these users share on our server. See docs/wire.md 8.5 "distinct id". */
export function distinctId(memberIds: readonly string[]): string {
  const sorted = [...new Set(memberIds)].toSorted().join(',')
  return `!members-${createHash('sha256').update(sorted).digest('base64url')}`
}
