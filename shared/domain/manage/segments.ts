/** What a segment consists of. */
export const SEGMENT_KINDS = ['user', 'channel'] as const
export type SegmentKind = (typeof SEGMENT_KINDS)[number]

export const SEGMENT_SORTS = ['name', 'created_at', 'updated_at'] as const
export type SegmentSort = (typeof SEGMENT_SORTS)[number]

/** Operators of the contract's filters. See docs/wire.md 6.1. */
export const FILTER_OPERATORS = [
  '$eq',
  '$ne',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$nin',
  '$exists',
  '$contains',
  '$autocomplete',
  '$q',
] as const
export type FilterOperator = (typeof FILTER_OPERATORS)[number]
export type FilterValue = string | number | boolean

/** One condition of a filter, such as that the language is one of several. */
export type FilterCondition = {
  readonly kind: 'condition'
  readonly field: string
  readonly operator: FilterOperator
  readonly value: FilterValue | readonly FilterValue[]
}

/** `all` of its parts must hold, at least one (`any`), or `none`. */
export type FilterGroup = {
  readonly kind: 'group'
  readonly match: 'all' | 'any' | 'none'
  readonly of: readonly FilterNode[]
}
export type FilterNode = FilterCondition | FilterGroup

/** Characters of a filter as JSON. */
export const MAX_FILTER_TEXT = 50_000

/** Limits of the contract. See docs/wire.md 3.15. */
export const SEGMENT_LIMITS = { name: 128, description: 256, added: 10_000, removed: 100 } as const

/** An audience: people or channels that match a filter, that were added by hand, or all of them. */
export type Segment = {
  readonly id: string
  readonly kind: SegmentKind
  /** May be empty. */
  readonly name: string
  readonly description: string
  /** The contract's filter as JSON. `{}`: nobody matches; see docs/wire.md 6.3. */
  readonly filter: string
  /** All people of the workspace, or all channels of the one who sends. Cannot be changed later. */
  readonly all: boolean
  /** As the server counted when it was asked. */
  readonly size: number
  readonly createdAt?: number
  readonly updatedAt?: number
  /** The server is working on it, and refuses changes. */
  readonly locked?: boolean
  /** What a window shows; a change is refused if the server has another one. */
  readonly version: string
}

/** Added by hand. */
export type SegmentTarget = { readonly id: string; readonly addedAt?: number }

/** A person or a channel as a list shows it. */
export type SegmentMember = {
  readonly id: string
  /** Of a channel without a name: its id. */
  readonly name: string
  readonly lastActiveAt?: number
  /** They are left out when a campaign is sent. */
  readonly inactive?: boolean
}

/**
 * Why someone is in a segment: `all` of the workspace are, they were added `byHand`, or these conditions of the filter
 * hold for them. Empty conditions: the server says they match, and nothing here can say why.
 */
export type SegmentReason =
  | { readonly kind: 'all' }
  | { readonly kind: 'byHand' }
  | { readonly kind: 'matches'; readonly conditions: readonly FilterCondition[] }

export type SegmentMembership =
  | { readonly in: true; readonly reason: SegmentReason }
  /** `failed`: the first condition that does not hold; absent if there is no filter or nothing here can say it. */
  | { readonly in: false; readonly failed?: FilterCondition; readonly others?: boolean }

/** One line of a pasted list, and whom it names. */
export type ResolvedLine = {
  readonly line: string
  /** None: nobody; several: it does not say whom. */
  readonly found: readonly SegmentMember[]
}

/** A campaign that sends to a segment. */
export type SegmentUse = { readonly id: string; readonly name: string; readonly status: string }
