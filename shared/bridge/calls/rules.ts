import * as v from 'valibot'
import {
  LIST_KINDS,
  RULE_ACTIONS,
  RULE_FINDS,
  type DryRunStep,
  type ListedBlockList,
  type ListedRule,
  type Rules,
} from '../../domain/manage/rules.ts'
import { call } from '../../lib/contract.ts'
import { cid, line, nothing, shortText } from '../schemas.ts'

const MAX_WORDS = 10_000

/** Names of rules and lists; the server checks which characters it allows. */
const name = v.pipe(line, v.maxLength(255))
const ruleId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_:. /-]{1,511}$/))
const version = v.pipe(v.string(), v.maxLength(64))
const word = v.pipe(shortText, v.trim(), v.minLength(1), v.maxLength(255))

const condition = v.variant('kind', [
  v.object({ kind: v.literal('list'), list: name }),
  v.object({ kind: v.literal('words'), words: v.pipe(v.array(word), v.minLength(1), v.maxLength(200)) }),
  v.object({ kind: v.literal('has'), what: v.picklist(RULE_FINDS) }),
  v.object({ kind: v.literal('joined'), days: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3_650)) }),
  v.object({ kind: v.literal('role'), role: v.pipe(line, v.maxLength(64)) }),
  v.object({ kind: v.literal('channel'), cid }),
])

const fields = {
  name,
  enabled: v.boolean(),
  conditions: v.pipe(v.array(condition), v.minLength(1), v.maxLength(20)),
  action: v.picklist(RULE_ACTIONS),
  text: v.optional(v.pipe(shortText, v.trim())),
}

/**
 * Rules that the server applies to messages, and their block lists. All but `dryRun` need a connection; all need the right
 * `rules`. They reject with `network/offline`, `manage/not-allowed`, `server/not-allowed`. A change of what someone else
 * has changed since the `version` that a window shows rejects with `rules/changed`, and one of what was deleted with
 * `rules/gone`; then nothing is changed.
 */
export const rules = {
  list: call<Rules>()(nothing),
  /** Without an id a new rule, the last one. `position`: where it is checked. */
  save: call<ListedRule>()(
    v.object({
      rule: v.object({ ...fields, id: v.optional(ruleId), position: v.optional(v.pipe(v.number(), v.finite())) }),
      version: v.optional(version),
    }),
  ),
  remove: call<void>()(v.object({ id: ruleId, version })),
  /** Without a version a new list. */
  saveList: call<ListedBlockList>('heavy')(
    v.object({
      list: v.object({
        name,
        kind: v.picklist(LIST_KINDS),
        words: v.pipe(v.array(word), v.minLength(1), v.maxLength(MAX_WORDS)),
      }),
      version: v.optional(version),
    }),
  ),
  removeList: call<void>()(v.object({ name, version })),
  /**
   * One step through the messages stored on this computer, newest first in each channel: which of them the rule would have
   * decided about, among the other rules as they are. `from`: where the previous step ended. Changes nothing.
   */
  dryRun: call<DryRunStep>()(
    v.object({
      rule: v.object({ ...fields, id: v.optional(ruleId), position: v.optional(v.pipe(v.number(), v.finite())) }),
      /** Epoch milliseconds; absent: everything. */
      since: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15))),
      from: v.optional(v.pipe(v.string(), v.maxLength(1_000))),
    }),
  ),
}
