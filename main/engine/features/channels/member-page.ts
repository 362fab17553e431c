import type { MemberPage } from '#shared/domain/channel-details.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { queryMembers } from '#shared/wire/app.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import type { Core, Requests } from '../../core.ts'
import { asList } from '../../decode/read.ts'
import { writeMember } from '../../sync/write.ts'

/** Largest page, see docs/wire.md 3.12. */
const PAGE = 100

type Input = { readonly cid: Cid; readonly offset?: number; readonly text?: string }

type Parts = Requests & Pick<Core, 'cache' | 'log'>

/** Members of a channel from the cache, after fetching a page of the server's list if one was requested. */
export async function memberPage(core: Parts, { cid, offset, text = '' }: Input): Promise<MemberPage> {
  const fetched = offset === undefined ? undefined : await fetchPage(core, cid, offset, text.trim())
  const row = channels.byCid(core.cache.reader, cid)
  const entries = members.members(core.cache.reader, cid)
  const total = Math.max(row?.memberCount ?? 0, 0)
  return {
    entries,
    total: row?.memberCount === undefined ? entries.length : total,
    ownerId: row?.createdById,
    hasMore: fetched === undefined ? entries.length < total : fetched === PAGE,
    unanswered: fetched === 'unanswered' ? (true as const) : undefined,
  }
}

/** Number of fetched members. */
async function fetchPage(core: Parts, cid: Cid, offset: number, text: string): Promise<number | 'unanswered'> {
  if (!core.isHealthy()) return 'unanswered'
  const asOf = core.asOf()
  const filter = text === '' ? {} : { name: { $autocomplete: text } }
  try {
    const payload = { ...splitCid(cid), filter_conditions: filter, limit: PAGE, offset }
    const reply = await core.api.send(queryMembers, { query: { payload }, signal: core.life })
    const found = asList(reply.members)
    core.write((tx) => found.forEach((member) => writeMember(tx, member, cid, asOf)))
    return found.length
  } catch (error) {
    core.log('members').info('cached', { cid, code: error instanceof AppError ? error.code : 'unknown' })
    return 'unanswered'
  }
}
