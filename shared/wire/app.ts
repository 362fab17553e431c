import type { WireEmojiTerms } from './emoji.ts'
import { endpoint, type None, type Filter, type SortField } from './endpoint.ts'
import type { WireEvent } from './events.ts'
import type { Maybe, WireMember, WireUser, WireAttachment } from './objects.ts'

/** Metadata of a page, at the top level of the response. See docs/wire.md 3.1 and 5.9 "OG ATTACHMENT". */
export const getOg = endpoint('GET', '/og', 'GetOG')<{ url: string }, None, WireAttachment>()

/** Rules for uploads, of images and of files. */
export type UploadConfig = {
  allowed_file_extensions: readonly string[]
  blocked_file_extensions: readonly string[]
  allowed_mime_types: readonly string[]
  blocked_mime_types: readonly string[]
  size_limit: number
}

export type AppSettings = {
  name: string
  image_upload_config: UploadConfig
  file_upload_config: UploadConfig
  /** Only our own local server sends it. */
  workspace_icon?: Maybe<{ base64: string; mime_type: string }>
  /** Only our own local server sends it. */
  custom_emoji?: WireEmojiTerms
}

export const hi = endpoint('GET', '/hi', 'Hi')<None, None, object>()
export const getApp = endpoint('GET', '/app', 'GetApp')<None, None, { app: AppSettings }>()
/** See docs/wire.md 3.1 `/translate`. */
export const translate = endpoint('POST', '/translate', 'Translate')<
  None,
  { text: string; source_language: string; destination_language: string },
  { language: string; translated_text: string }
>()
export const sync = endpoint('POST', '/sync', 'Sync')<
  { with_inaccessible_cids?: boolean },
  { channel_cids: readonly string[]; last_sync_at: string; watch?: boolean; with_inaccessible_cids?: boolean },
  { events: readonly WireEvent[]; inaccessible_cids?: readonly string[] }
>()

type UsersQuery = {
  filter_conditions: Filter
  sort?: readonly SortField[]
  presence?: boolean
  limit?: number
  offset?: number
  include_deactivated_users?: boolean
  /** Only our own local server knows it, and only with a server token. */
  include_deleted_users?: boolean
}
export const queryUsers = endpoint('GET', '/users', 'QueryUsers')<
  { payload: UsersQuery },
  None,
  { users: readonly WireUser[] }
>()
export const upsertUsers = endpoint('POST', '/users', 'UpdateUsers')<
  None,
  { users: Readonly<Record<string, WireUser>> },
  { users: Readonly<Record<string, WireUser>>; membership_deletion_task_id?: string }
>()

type MembersQuery = {
  type: string
  id?: string
  members?: readonly { user_id: string }[]
  filter_conditions: Filter
  sort?: readonly SortField[]
  limit?: number
  offset?: number
}
export const queryMembers = endpoint('GET', '/members', 'QueryMembers')<
  { payload: MembersQuery },
  None,
  { members: readonly WireMember[] }
>()
