import { endpoint, type None, type CursorBody, type CursorReply } from './endpoint.ts'
import type { MessageInput } from './messages.ts'
import type { WireDraft } from './objects.ts'

/** See docs/wire.md 3.6. One draft per person, channel and parent. */
export const createDraft = endpoint('POST', '/channels/:type/:id/draft', 'CreateDraft')<
  None,
  { message: MessageInput },
  { draft: WireDraft }
>()
export const getDraft = endpoint('GET', '/channels/:type/:id/draft', 'GetDraft')<
  { parent_id?: string },
  None,
  { draft: WireDraft }
>()
export const deleteDraft = endpoint('DELETE', '/channels/:type/:id/draft', 'DeleteDraft')<
  { parent_id?: string },
  None,
  object
>()
export const queryDrafts = endpoint('POST', '/drafts/query', 'QueryDrafts')<
  None,
  CursorBody,
  { drafts: readonly WireDraft[] } & CursorReply
>()
