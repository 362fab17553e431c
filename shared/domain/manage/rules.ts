import type { Cid } from '../../lib/brand.ts'

/**
 * What happens to a message that a rule matches:
 *
 * - `flag`: everyone sees it, and moderators find it in the review queue;
 * - `block`: only its author and moderators see it, until a moderator approves it;
 * - `bounce`: it is returned to its author and not stored;
 * - `shadow`: its author sees it as sent, and moderators do, nobody else;
 * - `mask`: the matching parts are replaced, and moderators find the original in the review queue.
 */
export const RULE_ACTIONS = ['flag', 'block', 'bounce', 'shadow', 'mask'] as const
export type RuleAction = (typeof RULE_ACTIONS)[number]

/** What a text can contain without being listed. */
export const RULE_FINDS = ['link', 'email', 'phone', 'attachment'] as const
export type RuleFind = (typeof RULE_FINDS)[number]

export type RuleCondition =
  /** An entry of a block list. */
  | { readonly kind: 'list'; readonly list: string }
  /** One of these words or phrases; `*` at the beginning or the end of a word stands for the rest of it. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'has'; readonly what: RuleFind }
  /** The author's account is younger than this when the message is written. */
  | { readonly kind: 'joined'; readonly days: number }
  | { readonly kind: 'role'; readonly role: string }
  | { readonly kind: 'channel'; readonly cid: Cid }

export type RuleConditionKind = RuleCondition['kind']

/** All conditions must hold. The first rule that matches a message decides. */
export type Rule = {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly conditions: readonly RuleCondition[]
  readonly action: RuleAction
  /** What the author of a refused message reads besides the name of the rule. */
  readonly text?: string
  /** Also applies to messages of moderators and administrators. Absent: no. */
  readonly everyone?: boolean
}

/** `version`: what a screen shows; a change is refused if the server has another one. `position`: rules are checked in its order. */
export type ListedRule = Rule & { readonly version: string; readonly position: number }

/** Words and phrases; addresses of websites; e-mail addresses and their domains. */
export const LIST_KINDS = ['word', 'domain', 'email'] as const
export type ListKind = (typeof LIST_KINDS)[number]

export type BlockList = {
  readonly name: string
  readonly kind: ListKind
  readonly words: readonly string[]
}

export type ListedBlockList = BlockList & {
  readonly version: string
  /** Another kind of a server that has more; its entries are neither matched nor changed here. */
  readonly foreign?: string
}

/** What the server in use can do. */
export type RuleSupport = {
  readonly actions: readonly RuleAction[]
  readonly conditions: readonly RuleConditionKind[]
  /** Rules have names, several conditions, an order, a switch and a text to the author. */
  readonly full: boolean
}

export type Rules = {
  /** In the order in which they are checked. */
  readonly rules: readonly ListedRule[]
  readonly lists: readonly ListedBlockList[]
  readonly support: RuleSupport
}

/** A stored message that a rule would have caught. */
export type DryRunHit = {
  readonly messageId: string
  readonly cid: Cid
  readonly userId: string
  readonly text: string
  readonly at: number
  /** The parts of the text that match. */
  readonly ranges: readonly TextRange[]
  /** Somebody reported it, or a rule caught it. Absent: not known. */
  readonly reported?: boolean
}

/** UTF-16 units, end exclusive. */
export type TextRange = { readonly start: number; readonly end: number }

/** One step of a dry run. */
export type DryRunStep = {
  readonly hits: readonly DryRunHit[]
  readonly checked: number
  /** Deleted messages, whose text is not kept. */
  readonly unreadable: number
  /** Channels in which a message was checked. */
  readonly cids: readonly Cid[]
  /** Where the next step continues; absent: everything was checked. */
  readonly next?: string
}
