/** Bounds of the register. A reaction's type ends at 30 (docs/wire.md 3.3). Source: ADR 19. */
export const EMOJI_NAME_LENGTH = 30
export const EMOJI_ALIASES = 10
export const EMOJI_KEPT = 500
export const EMOJI_BYTES = 256_000
/** Pixels of the longer side. */
export const EMOJI_SIDE = 512
export const EMOJI_TYPES = ['image/png', 'image/gif', 'image/webp', 'image/jpeg', 'image/avif'] as const
export type EmojiType = (typeof EMOJI_TYPES)[number]

/** A picture with a name that people of the workspace made: `:name:` in a text, `name` as a reaction's type. */
export type CustomEmoji = {
  readonly name: string
  readonly aliases: readonly string[]
  /** Reference of its picture; changes when the picture does. */
  readonly image: string
  /** Of a type that can move. */
  readonly moves: boolean
  readonly createdBy?: string
  /** Epoch milliseconds. */
  readonly createdAt?: number
}

/** What this workspace says of custom emoji; nothing is held where a server has none (ADR 19). */
export type EmojiTerms = {
  readonly canCreate: boolean
  /** May change and delete those of others too. */
  readonly canManage: boolean
  readonly maxBytes: number
  /** Pixels of the longer side. */
  readonly maxSide: number
  readonly maxCount: number
}
