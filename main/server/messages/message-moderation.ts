import type { Decision } from '#shared/rules/moderation/decide.ts'
import { hitsIn, masked } from '#shared/rules/moderation/decide.ts'
import type { Access } from '../channels/access.ts'
import type { Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { MESSAGE_ENTITY, queueForReview } from '../moderation/flags.ts'
import { matchBlocklists, ruleFor, type BlocklistMatch } from '../moderation/rules.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import type { MessageRow } from './message-table.ts'

/** What becomes of a message that rules and block lists were applied to. */
export type Fate = {
  readonly kind: 'kept' | 'hidden' | 'returned'
  /** The text with the matching parts replaced; absent: as written. */
  readonly text?: string
  /** What its sender is shown; absent: nothing. */
  readonly note?: Json
  /** What moderators find in the review queue; absent: nothing. */
  readonly report?: {
    readonly flag: Json
    readonly recommended: string
    readonly original: string
    readonly key?: string
  }
}

export const KEPT: Fate = { kind: 'kept' }

type Content = { readonly text: string; readonly attachments: number }

/** Applies the rules of the workspace, then the block lists of the channel. See docs/wire.md 5.26, 8.14. */
export function moderated(work: Work, access: Access, authorId: string, content: Content): Fate {
  const { cid, type } = access.channel
  const decision = ruleFor(work.db, { ...content, cid, type, authorId, at: work.now })
  if (decision) return byRule(work, decision, content.text)
  const match = matchBlocklists(work.db, access.flags, content.text)
  return match ? byList(work, match, content.text) : KEPT
}

/** What moderators are advised to do; the names are those of the contract. */
const ADVICE = { flag: 'flag', mask: 'flag', block: 'remove', shadow: 'shadow_block', bounce: 'bounce' } as const

function byRule(work: Work, { rule, ranges }: Decision, original: string): Fate {
  const flag = {
    type: 'rule',
    reason: rule.name,
    labels: hitsIn(original, ranges).slice(0, MAX_LABELS),
    rule_id: rule.id,
    action: rule.action,
    created_at: toText(work.now),
  }
  const report = { flag, recommended: ADVICE[rule.action], original, key: `rule:${rule.id}`.slice(0, 255) }
  const named = { rule: rule.name, ...(rule.text === undefined ? {} : { text: rule.text }) }
  switch (rule.action) {
    case 'flag':
      return { kind: 'kept', report }
    case 'mask':
      return { kind: 'kept', text: masked(original, ranges), report }
    case 'shadow':
      return { kind: 'hidden', report }
    case 'block':
      return { kind: 'hidden', report, note: { action: 'block', ...named } }
    case 'bounce':
      return { kind: 'returned', note: { action: 'bounce', original_text: original, ...named } }
  }
}

const MAX_LABELS = 20

function byList(work: Work, { action, word }: BlocklistMatch, original: string): Fate {
  const flag = { type: 'blocklist', labels: [word], created_at: toText(work.now) }
  const report = { flag, recommended: action === 'block' ? 'remove' : action, original }
  if (action === 'block') return { kind: 'returned', report, note: { action: 'remove', original_text: original } }
  return { kind: action === 'shadow_block' ? 'hidden' : 'kept', report }
}

const BLOCKED = 'Message was blocked by moderation policies'

/** Returned to its author, neither stored nor shown to others. See docs/wire.md 1.7, code 73. */
export function returned(work: Work, row: MessageRow, fate: Fate): MessageRow {
  report(work, row, fate)
  return {
    ...row,
    type: 'error',
    text: BLOCKED,
    attachments: '[]',
    mentions: '[]',
    extra: JSON.stringify({ moderation: fate.note }),
  }
}

/** Queues a message for moderators, with the text as it was written. */
export function report(work: Work, row: Pick<MessageRow, 'id' | 'user_id'>, { report: made }: Fate): void {
  if (!made) return
  queueForReview(work, {
    entityType: MESSAGE_ENTITY,
    entityId: row.id,
    creatorId: row.user_id,
    flag: made.flag,
    recommended: made.recommended,
    configKey: made.key,
    payload: { texts: [made.original] },
  })
}

/**
 * Applies rules and block lists to an edit: a text that would be hidden or returned is refused, naming the rule, because
 * the message stays as it was. Returns what the edit changes.
 */
export function moderatedEdit(
  work: Work,
  access: Access,
  row: MessageRow,
  edit: { readonly text: string; readonly attachments: readonly unknown[] },
): { readonly text?: string } {
  if (edit.text === row.text) return {}
  const fate = moderated(work, access, row.user_id, { text: edit.text, attachments: edit.attachments.length })
  if (fate.kind === 'kept') {
    report(work, row, fate)
    return fate.text === undefined ? {} : { text: fate.text }
  }
  const rule = fate.report?.flag['reason'] ?? fate.note?.['rule']
  return refuse('input', typeof rule === 'string' ? `${BLOCKED}: ${rule}` : BLOCKED)
}
