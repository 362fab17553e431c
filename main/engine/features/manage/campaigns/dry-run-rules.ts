import { decideBy, type RuleSubject } from '#shared/rules/moderation/decide.ts'
import { listMatcher, readText } from '#shared/rules/moderation/lists.ts'
import { queryUsers } from '#shared/wire/app.ts'
import { asList, asWire, textOf, timeOf, type Wire } from '../../../decode/read.ts'
import { loadConfigured, loadRules, type Access } from '../rules/ruleset.ts'

/** Whether the server would return a message to its sender instead of sending it. */
export type Returns = (message: Pick<RuleSubject, 'text' | 'cid' | 'attachments' | 'at'>) => boolean

type Of = {
  readonly type: string
  /** The channel type as the server has it. */
  readonly settings: Wire | undefined
  readonly senderId: string
}

/**
 * The rules of the workspace and the block lists of the channel type, as our server applies them. `undefined`: nothing
 * returns any message.
 */
export async function returnsBy(access: Access, { type, settings, senderId }: Of): Promise<Returns | undefined> {
  const [{ rules: own, lists }, configured] = await Promise.all([loadRules(access), loadConfigured(access, type)])
  const matched = lists.filter(({ foreign }) => foreign === undefined)
  const rules = [...own, ...configured].filter(({ enabled }) => enabled)
  const names = blockingLists(settings)
  const blocking = matched.filter(({ name }) => names.has(name)).map(listMatcher)
  if (blocking.length === 0 && !rules.some(({ action }) => action === 'bounce')) return undefined
  const author = await authorOf(access, senderId)
  const decide = decideBy(rules, matched)
  return (message) => {
    const decision = decide({ ...message, ...author })
    if (decision !== undefined) return decision.rule.action === 'bounce'
    const read = readText(message.text)
    return blocking.some((matcher) => matcher(read).length > 0)
  }
}

/** Those whose matches are returned: one has a setting of its own, others are listed. */
function blockingLists(settings: Wire | undefined): ReadonlySet<string> {
  const own = { blocklist: settings?.['blocklist'], behavior: settings?.['blocklist_behavior'] }
  return new Set(
    [own, ...asList(settings?.['blocklists']).map(asWire)].flatMap((list) =>
      list?.['behavior'] === 'block' ? (textOf(list['blocklist']) ?? []) : [],
    ),
  )
}

/** What rules know of the sender. */
async function authorOf({ api, signal }: Access, senderId: string): Promise<Pick<RuleSubject, 'role' | 'joinedAt'>> {
  const payload = { filter_conditions: { id: senderId }, limit: 1 }
  const [found] = asList((await api.send(queryUsers, { query: { payload }, signal })).users).map(asWire)
  return { role: textOf(found?.['role']) ?? 'user', joinedAt: timeOf(found?.['created_at']) }
}
