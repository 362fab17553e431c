import * as v from 'valibot'
import { createDraft, deleteDraft, getDraft, queryDrafts } from '#shared/wire/messages.ts'
import type { WireDraft } from '#shared/wire/objects.ts'
import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { idText } from '../http/shapes.ts'
import { draftList, cursorBody, readCursorPage } from '../store/query/lists.ts'
import { accessTo, mayRead, openChannel, type Access } from '../channels/access.ts'
import { checkChannelId } from '../channels/channels.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { messageById } from '../messages/message-table.ts'
import type { Work } from '../work.ts'
import { channelForMany } from '../channels/channel-state.ts'
import { channelEvent } from '../realtime/emission.ts'
import { messageFor } from '../messages/message-announce.ts'
import { storedAttachments, requireMessage, messageInput } from '../messages/message-input.ts'
import { isVisible } from '../messages/message-checks.ts'
import { bareDraft, deleteDraftRow, draftOf, putDraft, type DraftRow } from './draft-table.ts'

const ofParent = v.looseObject({ parent_id: idText() })

export const draftRoutes: readonly Route[] = [
  route(createDraft, { body: v.looseObject({ message: messageInput }) }, ({ params, body, who }, work) => {
    const access = openOwn(work, params, who)
    // `html` may only be set by a server token, and only on sent messages
    const { html: _html, ...message } = requireMessage(body.message)
    const parentId = message.parent_id ?? ''
    if (parentId !== '') checkParent(work, access, who, parentId)
    const row: DraftRow = {
      user_id: who.userId,
      cid: access.channel.cid,
      parent_id: parentId,
      created_at: work.stamp(access.channel.cid),
      message: JSON.stringify({
        ...message,
        ...storedAttachments(work, who, message),
        id: message.id ?? work.ids.uuid(),
      }),
    }
    putDraft(work.db, row)
    announce(work, access, row, 'draft.updated', row.created_at)
    return { draft: encodeDraft(work, row, access, who) }
  }),
  route(getDraft, { query: ofParent }, ({ params, query, who }, work) => {
    const access = openOwn(work, params, who)
    return { draft: encodeDraft(work, found(work, access, who, query.parent_id), access, who) }
  }),
  route(deleteDraft, { query: ofParent }, ({ params, query, who }, work) => {
    const access = openOwn(work, params, who)
    const row = found(work, access, who, query.parent_id)
    deleteDraftRow(work.db, row)
    announce(work, access, row, 'draft.deleted', work.stamp(access.channel.cid))
    return {}
  }),
  route(queryDrafts, { body: v.looseObject(cursorBody) }, ({ body, who }, work) => {
    const { rows, cursors } = readCursorPage(work.db, draftList(who.userId, body.filter), body)
    const drafts = rows.flatMap((row) => {
      const channel = channelByCid(work.db, row.cid)
      const access = channel ? accessTo(work.db, channel, who) : undefined
      return access && mayRead(access, who) ? [encodeDraft(work, row, access, who)] : []
    })
    return { drafts, ...cursors }
  }),
]

function openOwn(work: Work, params: { type: string; id: string }, who: Identity): Access {
  if (who.userId === '') return refuse('input', 'a server token must name a user')
  return openChannel(work.db, checkChannelId(params.type, params.id), who)
}

function found(work: Work, access: Access, who: Identity, parentId: string | undefined): DraftRow {
  const row = draftOf(work.db, who.userId, access.channel.cid, parentId ?? '')
  return row ?? refuse('doesNotExist', 'there is no draft here')
}

function checkParent(work: Work, access: Access, who: Identity, parentId: string): void {
  const parent = messageById(work.db, parentId)
  if (!parent || !isVisible(parent, access, who) || parent.deleted_at !== null) {
    return refuse('doesNotExist', `parent message ${parentId} does not exist`)
  }
  if (parent.parent_id !== null) refuse('multipleNesting', 'a reply cannot be replied to')
}

function announce(
  work: Work,
  access: Access,
  row: DraftRow,
  type: 'draft.updated' | 'draft.deleted',
  at: number,
): void {
  work.emit({
    event: channelEvent(type, access.channel, at, {
      draft: bareDraft(work, row),
      ...(row.parent_id === '' ? {} : { parent_id: row.parent_id }),
    }),
    to: { kind: 'users', ids: [row.user_id] },
    log: { userId: row.user_id },
  })
}

/** With the channel, and the messages it replies to and quotes. See docs/wire.md 5.11. */
function encodeDraft(work: Work, row: DraftRow, access: Access, who: Identity): WireDraft {
  const draft = bareDraft(work, row)
  const shown = (id: unknown) => {
    const message = typeof id === 'string' ? messageById(work.db, id) : undefined
    return message && isVisible(message, access, who) ? messageFor(work, message, who) : undefined
  }
  const parent = shown(draft.parent_id)
  const quoted = shown(draft.message.quoted_message_id)
  return {
    ...draft,
    channel: channelForMany(work, access),
    ...(parent ? { parent_message: parent } : {}),
    ...(quoted ? { quoted_message: quoted } : {}),
  }
}
