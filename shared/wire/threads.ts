import { endpoint, type None, type CursorBody, type CursorReply } from './endpoint.ts'
import type { Maybe, WireChannel, WireDraft, WireMessage, WireRead, WireUser } from './objects.ts'

export type WireThreadParticipant = {
  user_id: string
  user?: Maybe<WireUser>
  channel_cid?: Maybe<string>
  thread_id?: Maybe<string>
  created_at: string
  last_read_at: string
  last_thread_message_at?: Maybe<string>
  left_thread_at?: Maybe<string>
}

/** See docs/wire.md 5.10. The thread's id is the id of its parent message. */
export type WireThread = { readonly [key: string]: unknown } & {
  parent_message_id: string
  parent_message?: Maybe<WireMessage>
  channel_cid: string
  channel?: Maybe<WireChannel>
  title: string
  created_by_user_id: string
  created_by?: Maybe<WireUser>
  reply_count: number
  participant_count: number
  active_participant_count: number
  thread_participants?: Maybe<readonly WireThreadParticipant[]>
  last_message_at?: Maybe<string>
  created_at: string
  updated_at: string
  deleted_at?: Maybe<string>
}

/** Includes what only the thread endpoint and the list return. */
export type WireThreadState = WireThread & {
  /** Oldest first. */
  latest_replies: readonly WireMessage[]
  /** Absent for server tokens. */
  read?: Maybe<readonly WireRead[]>
  draft?: Maybe<WireDraft>
}

type ThreadLimits = { watch?: boolean; reply_limit?: number; participant_limit?: number; member_limit?: number }

/** See docs/wire.md 3.5. */
export const queryThreads = endpoint('POST', '/threads', 'QueryThreads')<
  None,
  CursorBody & ThreadLimits,
  { threads: readonly WireThreadState[] } & CursorReply
>()
export const getThread = endpoint('GET', '/threads/:messageId', 'GetThread')<
  ThreadLimits,
  None,
  { thread: WireThreadState }
>()
export const updateThreadPartial = endpoint('PATCH', '/threads/:messageId', 'UpdateThreadPartial')<
  None,
  { set?: Record<string, unknown>; unset?: readonly string[] },
  { thread: WireThread }
>()
