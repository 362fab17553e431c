import type { WireAttachment } from '#shared/wire/objects.ts'
import { getOg } from '#shared/wire/app.ts'
import { announceMessage } from '../messages/message-announce.ts'
import { accessTo } from '../channels/access.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { changeMessage, messageById, type MessageRow } from '../messages/message-table.ts'
import { transact, type Services, type Work } from '../work.ts'
import type { Preview } from './previews.ts'
import * as v from 'valibot'
import type { Route } from '../http/router.ts'
import { read } from '../http/shapes.ts'

/** The most links of one message that get previews. */
const MAX_LINKS = 3
const LINK = /https?:\/\/[^\s<>"'`]{1,2048}/gi

/** The links of a text, each once, without punctuation at the end. */
function linksIn(text: string): string[] {
  const found = (text.match(LINK) ?? []).map(withoutEnd)
  return [...new Set(found)].slice(0, MAX_LINKS)
}

const SENTENCE_ENDS = '.,;:!?)]}'

function withoutEnd(link: string): string {
  let end = link.length
  while (end > 0 && SENTENCE_ENDS.includes(link[end - 1] ?? ' ')) end -= 1
  return link.slice(0, end)
}

type Attachment = WireAttachment

/** Removes previews of links that are no longer in the text. */
export function withoutStalePreviews(attachments: readonly unknown[], text: string): readonly unknown[] {
  return (attachments as readonly Attachment[]).filter(
    ({ og_scrape_url: link }) => typeof link !== 'string' || text.includes(link),
  )
}

/** Fetches previews of a sent message's links and adds them. See docs/wire.md 8.7 "URL enrichment". */
export function enrichLater(work: Work, row: MessageRow): void {
  if (!work.enrichSent || !work.previews.enabled) return
  const links = linksIn(row.text)
  const hasPreview = (JSON.parse(row.attachments) as readonly Attachment[]).some((each) => each.og_scrape_url)
  if (links.length === 0 || hasPreview) return
  work.afterwards(() => {
    enrich(work, row, links).catch((error: unknown) =>
      work.log.debug('not-enriched', { reason: error instanceof Error ? error.name : 'unknown' }),
    )
  })
}

async function enrich(services: Services, row: MessageRow, links: readonly string[]): Promise<void> {
  // The same rate limit as for previews in the composer.
  const who = { userId: row.user_id, server: false }
  const allowed = links.filter(() => services.limits.take(who, getOg.operation).allowed)
  const found = await Promise.allSettled(allowed.map((link) => services.previews.find(link)))
  const previews = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  if (previews.length > 0) transact(services, (work) => addPreviews(work, row.id, previews))
}

/** Only if the message still exists, still contains the link, and has no preview of it yet. */
function addPreviews(work: Work, messageId: string, previews: readonly Preview[]): void {
  const row = messageById(work.db, messageId)
  const channel = row ? channelByCid(work.db, row.cid) : undefined
  if (!row || !channel || row.deleted_at !== null) return
  const attachments = JSON.parse(row.attachments) as readonly Attachment[]
  const known = new Set(attachments.map((each) => each.og_scrape_url))
  const links = linksIn(row.text)
  const fresh = previews.filter((each) => !known.has(each.og_scrape_url) && links.includes(each.og_scrape_url))
  if (fresh.length === 0) return
  const at = work.stamp(row.cid)
  const changed = changeMessage(work.db, row.id, {
    attachments: JSON.stringify([...attachments, ...fresh]),
    updated_at: at,
  })
  const who = { userId: row.user_id, role: 'user', banned: false, server: true, expiresAtMs: undefined }
  const after = changed ?? row
  announceMessage(work, accessTo(work.db, channel, who), who, 'message.updated', after)
}

const query = v.looseObject({ url: v.pipe(v.string(), v.minLength(1), v.maxLength(2_048)) })

/** The only call that waits for another server, so it runs outside of any transaction. See docs/wire.md 3.1. */
export const ogRoutes: readonly Route[] = [
  {
    method: getOg.method,
    path: getOg.path,
    operation: getOg.operation,
    open: false,
    shapes: { query },
    run: (input, { previews }) => previews.find(read(query, input.query).url),
  },
]
