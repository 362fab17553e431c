import * as v from 'valibot'
import { sendMessage } from '#shared/wire/messages.ts'
import type { WireMember } from '#shared/wire/objects.ts'
import { encodeMember } from '../channels/encode-channels.ts'
import { Later, route, type Route } from '../http/router.ts'
import { flag, object } from '../http/shapes.ts'
import { enrichLater } from '../og/enrich.ts'
import { openChannel } from '../channels/access.ts'
import { checkChannelId } from '../channels/channels.ts'
import { memberOf } from '../channels/member-table.ts'
import type { MessageRow } from './message-table.ts'
import type { Work } from '../work.ts'
import { runCommand } from '../commands/command-routes.ts'
import { messageFor } from './message-announce.ts'
import { requireMessage, messageInput } from './message-input.ts'
import { postAndAnnounce } from './message-post.ts'

const sendBody = v.looseObject({
  message: messageInput,
  keep_channel_hidden: flag,
  skip_enrich_url: flag,
  pending: flag,
  is_pending_message: flag,
  pending_message_metadata: object,
  include_mentioned_members: flag,
})

/** The mentioned users who are members of the channel. */
function mentionedMembers(work: Work, row: MessageRow): WireMember[] {
  const ids = JSON.parse(row.mentions) as string[]
  return ids.flatMap((id) => {
    const member = memberOf(work.db, row.cid, id)
    return member ? [encodeMember(member, work.people)] : []
  })
}

export const sendRoutes: readonly Route[] = [
  route(sendMessage, { body: sendBody }, ({ params, body, who }, work) => {
    const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
    const draft = requireMessage(body.message)
    const reply = runCommand(work, access, who, draft)
    if (reply) return reply instanceof Later ? reply : { message: reply }
    const metadata = body.pending_message_metadata
    const isPending = (body.pending ?? false) || (body.is_pending_message ?? false)
    const { row, announced } = postAndAnnounce(work, access, who, draft, {
      keepHidden: body.keep_channel_hidden ?? false,
      pending: isPending || access.flags.mark_messages_pending,
      metadata,
    })
    if (access.flags.url_enrichment && !(body.skip_enrich_url ?? false)) enrichLater(work, row)
    // A new message has no data of the author's own yet, unless it has a poll or a quote.
    const isSameForAll = row.poll_id === null && row.quoted_id === null
    return {
      message: announced && isSameForAll ? announced : messageFor(work, row, who),
      pending_message_metadata: metadata,
      mentioned_members: body.include_mentioned_members ? mentionedMembers(work, row) : undefined,
    }
  }),
]
