import type { SeedEmoji } from '../plan.ts'

/** Emoji the team made for itself: its sign, a trail mark, and Gerald. */
export const emoji: readonly SeedEmoji[] = [
  { name: 'cairn', aliases: ['kopczyk'], file: 'emoji-cairn.png', side: 128, userId: 'priya' },
  { name: 'szlak', aliases: ['trail'], file: 'emoji-szlak.png', side: 128, userId: 'tomasz' },
  { name: 'gerald', aliases: ['sourdough'], file: 'emoji-gerald.png', side: 128, userId: 'marcus' },
]
