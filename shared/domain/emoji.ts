/** Limits of custom emoji. A reaction's type has at most 30 characters (docs/wire.md 3.3). Source: ADR 19. */
export const EMOJI_NAME_LENGTH = 30
export const EMOJI_ALIASES = 10
export const MAX_EMOJI = 500
export const EMOJI_BYTES = 256_000
/** Pixels of the longer side. */
export const EMOJI_SIDE = 512
export const EMOJI_TYPES = ['image/png', 'image/gif', 'image/webp', 'image/jpeg', 'image/avif'] as const
export type EmojiType = (typeof EMOJI_TYPES)[number]

/** A named image that people of the workspace added: `:name:` in a text, `name` as a reaction's type. */
export type CustomEmoji = {
  readonly name: string
  readonly aliases: readonly string[]
  /** Reference of its image; changes when the image does. */
  readonly image: string
  /** Its type supports animation. */
  readonly moves: boolean
  readonly createdBy?: string
  /** Epoch milliseconds. */
  readonly createdAt?: number
}

/** The workspace's rules for custom emoji; absent where a server has none (ADR 19). */
export type EmojiTerms = {
  readonly canCreate: boolean
  /** The user can change and delete emoji of others too. */
  readonly canManage: boolean
  readonly maxBytes: number
  /** Pixels of the longer side. */
  readonly maxSide: number
  readonly maxCount: number
}
