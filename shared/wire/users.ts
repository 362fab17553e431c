import { endpoint, type None } from './endpoint.ts'
import type { WireMessage, WireReaction, WireUser } from './objects.ts'

/** See docs/wire.md 5.2 "id". */
export const isUserId = (id: string): boolean => /^[@A-Za-z0-9_-]{1,255}$/.test(id)

/** Users: changes, blocks, devices. See docs/wire.md 3.11 and 5.15. */
type UserPatch = { id: string; set?: Readonly<Record<string, unknown>>; unset?: readonly string[] }

export const updateUsersPartial = endpoint('PATCH', '/users', 'UpdateUsersPartial')<
  None,
  { users: readonly UserPatch[] },
  { users: Readonly<Record<string, WireUser>>; membership_deletion_task_id?: string }
>()
export const createGuest = endpoint('POST', '/guest', 'CreateGuest')<
  None,
  { user: WireUser },
  { access_token: string; user: WireUser }
>()

export type WireBlock = {
  user: WireUser
  user_id: string
  blocked_user: WireUser
  blocked_user_id: string
  created_at: string
}
export const getBlockedUsers = endpoint('GET', '/users/block', 'GetBlockedUsers')<
  None,
  None,
  { blocks: readonly WireBlock[] }
>()
export const blockUser = endpoint('POST', '/users/block', 'BlockUsers')<
  None,
  { blocked_user_id: string },
  { blocked_by_user_id: string; blocked_user_id: string; created_at: string; blocked_at: string }
>()
export const unblockUser = endpoint('POST', '/users/unblock', 'UnblockUsers')<
  None,
  { blocked_user_id: string },
  object
>()

type UserDeletion = {
  mark_messages_deleted?: boolean
  hard_delete?: boolean
  delete_conversation_channels?: boolean
}
export const deleteUser = endpoint('DELETE', '/users/:id', 'DeleteUser')<
  UserDeletion,
  None,
  { user: WireUser; task_id?: string }
>()
export const deleteUsers = endpoint('POST', '/users/delete', 'DeleteUsers')<
  None,
  {
    user_ids: readonly string[]
    user?: 'soft' | 'pruning' | 'hard'
    messages?: 'soft' | 'pruning' | 'hard'
    conversations?: 'soft' | 'hard'
    new_channel_owner_id?: string
  },
  { task_id: string }
>()
export const restoreUsers = endpoint('POST', '/users/restore', 'RestoreUsers')<
  None,
  { user_ids: readonly string[] },
  object
>()
export const deactivateUser = endpoint('POST', '/users/:id/deactivate', 'DeactivateUser')<
  None,
  { mark_messages_deleted?: boolean; created_by_id?: string },
  { user: WireUser }
>()
export const reactivateUser = endpoint('POST', '/users/:id/reactivate', 'ReactivateUser')<
  None,
  { restore_messages?: boolean; name?: string; created_by_id?: string },
  { user: WireUser }
>()
export const deactivateUsers = endpoint('POST', '/users/deactivate', 'DeactivateUsers')<
  None,
  { user_ids: readonly string[]; mark_messages_deleted?: boolean },
  { task_id: string }
>()
export const reactivateUsers = endpoint('POST', '/users/reactivate', 'ReactivateUsers')<
  None,
  { user_ids: readonly string[] },
  { task_id: string }
>()
export const exportUser = endpoint('GET', '/users/:id/export', 'ExportUser')<
  None,
  None,
  { user: WireUser; messages: readonly WireMessage[]; reactions: readonly WireReaction[] }
>()
export const sendUserEvent = endpoint('POST', '/users/:id/event', 'SendUserCustomEvent')<
  None,
  { event: { type: string; [key: string]: unknown } },
  object
>()

export type WireDevice = {
  id: string
  push_provider: string
  push_provider_name?: string
  user_id: string
  created_at: string
  disabled?: boolean
  disabled_reason?: string
}
export const getDevices = endpoint('GET', '/devices', 'ListDevices')<
  { user_id?: string } | undefined,
  None,
  { devices: readonly WireDevice[] }
>()
export const addDevice = endpoint('POST', '/devices', 'CreateDevice')<
  None,
  { id: string; push_provider: string; push_provider_name?: string },
  object
>()
export const removeDevice = endpoint('DELETE', '/devices', 'DeleteDevice')<{ id: string }, None, object>()

type PushPreference = {
  user_id?: string
  channel_cid?: string
  chat_level?: string
  call_level?: string
  disabled_until?: string
  remove_disable?: boolean
  chat_preferences?: Readonly<Record<string, unknown>>
}
type StoredPreference = Omit<PushPreference, 'user_id' | 'channel_cid' | 'remove_disable'>
export const setPushPreferences = endpoint('POST', '/push_preferences', 'UpdatePushNotificationPreferences')<
  None,
  { preferences: readonly PushPreference[] },
  {
    user_preferences: Readonly<Record<string, StoredPreference>>
    user_channel_preferences: Readonly<Record<string, Readonly<Record<string, StoredPreference>>>>
  }
>()
