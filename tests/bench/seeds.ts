/**
 * The workloads of the bench: the same numbers give the same people, channels and messages on every machine and day.
 *
 *   S   10 channels x 121 messages, 12 people: what other chat programs were given
 *   L   200 channels, 100,000 messages (the largest 20,000), 1,000 people
 *   D   one channel of 100,000 messages and a small one beside it, 12 people
 *   A   10,000 people and 5,000 reported messages, for whoever administers them
 *
 * A seed is written to a server store as a {@link SeedPlan} (by main/server/seed), or passed to an engine as wire objects.
 */
import type { SeedChannel, SeedMessage, SeedPlan } from '#main/server/seed/plan.ts'
import { SEED_MAX_MINUTES } from '#main/server/seed/plan.ts'
import { seededIds } from '#kit/seeded-ids.ts'

export type SeedSize = {
  readonly name: 'S' | 'L' | 'D' | 'A'
  readonly people: number
  /** Messages of each channel, the largest first. */
  readonly messages: readonly number[]
  /** Members of each channel; 30 by default. */
  readonly members?: number
}

export const VIEWER = 'me'

const LARGEST = 20_000
const L_CHANNELS = 200
const L_MESSAGES = 100_000

export const SEED_S = {
  name: 'S',
  people: 12,
  messages: Array.from({ length: 10 }, () => 121),
} as const satisfies SeedSize
export const SEED_L = {
  name: 'L',
  people: 1_000,
  messages: [LARGEST, ...evenly(L_MESSAGES - LARGEST)],
} as const satisfies SeedSize

export const SEED_D: SeedSize = { name: 'D', people: 12, messages: [L_MESSAGES, 121] }

export const SEED_A: SeedSize = { name: 'A', people: 10_000, messages: [5_000] }

/** The rest of L in equal parts; the last takes the remainder. */
function evenly(total: number): number[] {
  const parts = L_CHANNELS - 1
  const each = Math.floor(total / parts)
  return Array.from({ length: parts }, (_, index) => each + (index === parts - 1 ? total - each * parts : 0))
}

export const totalOf = (size: SeedSize): number => size.messages.reduce((sum, count) => sum + count, 0)
export const channelId = (index: number): string => `room-${String(index).padStart(3, '0')}`
export const channelCid = (index: number): string => `team:${channelId(index)}`
export const personId = (index: number): string => (index === 0 ? VIEWER : `person-${index}`)

const WORDS = `the route map north plan team release check ridge after before lunch draft signal pass weather paper
  review build green later today please thanks meeting summit valley trail river cabin photo note bridge quick second
  question answer almost ready zażółć gęślą jaźń привет карта`.split(/\s+/)

/** A few to some forty words. */
export function sentence(random: () => number): string {
  const count = 3 + Math.floor(random() ** 2 * 38)
  return Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)] ?? '').join(' ')
}

/** Members of a channel: everyone in a small team; the viewer and 29 others of a large one. */
export const membersOf = (size: SeedSize, channel: number): string[] =>
  Array.from({ length: Math.min(size.people, size.members ?? 30) }, (_, index) =>
    personId(index === 0 ? 0 : 1 + ((channel * 29 + index - 1) % (size.people - 1))),
  )

/**
 * The seed as a plan for a server's store. Everything is read: what is unread depends on the figure, not on the seed.
 */
export function planOf(size: SeedSize): SeedPlan {
  const ids = seededIds(7)
  const random = (): number => ids.random()
  const channels: SeedChannel[] = size.messages.map((_, index) => ({
    type: 'team',
    id: channelId(index),
    name: `Room ${index}`,
    memberIds: membersOf(size, index),
    createdBy: VIEWER,
  }))
  const messages = size.messages.flatMap((count, channel) => channelMessages(size, channel, count, random))
  const people = Array.from({ length: size.people }, (_, index) => ({
    id: personId(index),
    name: `Person ${index}`,
    language: 'en',
  }))
  return { people, channels, messages, polls: [], reads: [] }
}

/** Spread over the days a plan may reach back; channel 0 has the newest message. */
function channelMessages(size: SeedSize, channel: number, count: number, random: () => number): SeedMessage[] {
  const members = membersOf(size, channel)
  const span = SEED_MAX_MINUTES - 60
  return Array.from({ length: count }, (_, index) => ({
    id: `${size.name}-${channel}-${index}`,
    cid: channelCid(channel),
    userId: members[Math.floor(random() * members.length)] ?? VIEWER,
    text: sentence(random),
    at: 1 + channel / 100 + (span * (count - 1 - index)) / count,
    reactions: index % 23 === 22 ? [{ type: 'like', userIds: members.slice(1, 3) }] : undefined,
  }))
}
