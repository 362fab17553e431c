import { endpoint, type None } from './endpoint.ts'
import type { WireChannelConfig, WireCommand, WireUser } from './objects.ts'

/** Administration. See docs/wire.md 3.1, 3.16 and 3.17. */
export type WireChannelType = Omit<WireChannelConfig, 'commands'> & {
  name: string
  commands: readonly (string | WireCommand)[]
  created_at: string
  updated_at: string
}
type TypeInput = Readonly<Record<string, unknown>>

export const listChannelTypes = endpoint('GET', '/channeltypes', 'ListChannelTypes')<
  None,
  None,
  { channel_types: Readonly<Record<string, WireChannelType>> }
>()
export const createChannelType = endpoint('POST', '/channeltypes', 'CreateChannelType')<
  None,
  TypeInput,
  WireChannelType
>()
export const getChannelType = endpoint('GET', '/channeltypes/:name', 'GetChannelType')<None, None, WireChannelType>()
export const updateChannelType = endpoint('PUT', '/channeltypes/:name', 'UpdateChannelType')<
  None,
  TypeInput,
  WireChannelType
>()
export const deleteChannelType = endpoint('DELETE', '/channeltypes/:name', 'DeleteChannelType')<None, None, object>()

export const listCommands = endpoint('GET', '/commands', 'ListCommands')<
  None,
  None,
  { commands: readonly WireCommand[] }
>()
export const createCommand = endpoint('POST', '/commands', 'CreateCommand')<
  None,
  WireCommand,
  { command: WireCommand }
>()
export const getCommand = endpoint('GET', '/commands/:name', 'GetCommand')<None, None, WireCommand>()
export const updateCommand = endpoint('PUT', '/commands/:name', 'UpdateCommand')<
  None,
  Partial<WireCommand>,
  { command: WireCommand }
>()
export const deleteCommand = endpoint('DELETE', '/commands/:name', 'DeleteCommand')<None, None, { name: string }>()

export type WireRole = {
  name: string
  custom: boolean
  scopes: readonly string[]
  created_at: string
  updated_at: string
}
export const listRoles = endpoint('GET', '/roles', 'ListRoles')<None, None, { roles: readonly WireRole[] }>()
export const searchRoles = endpoint('GET', '/roles/search', 'SearchRoles')<
  { query: string; limit?: number; name_gt?: string; role_type?: string; include_global_roles?: boolean },
  None,
  { roles: readonly WireRole[] }
>()
export const createRole = endpoint('POST', '/roles', 'CreateRole')<None, { name: string }, { role: WireRole }>()
export const deleteRole = endpoint('DELETE', '/roles/:name', 'DeleteRole')<None, None, object>()

export type WirePermission = Readonly<Record<string, unknown>> & { id: string; name: string; custom: boolean }
export const listPermissions = endpoint('GET', '/permissions', 'ListPermissions')<
  None,
  None,
  { permissions: readonly WirePermission[] }
>()
export const createPermission = endpoint('POST', '/permissions', 'CreatePermission')<
  None,
  Readonly<Record<string, unknown>>,
  { permission: WirePermission }
>()
export const getPermission = endpoint('GET', '/permissions/:id', 'GetPermission')<
  None,
  None,
  { permission: WirePermission }
>()
export const updatePermission = endpoint('PUT', '/permissions/:id', 'UpdatePermission')<
  None,
  Readonly<Record<string, unknown>>,
  { permission: WirePermission }
>()
export const deletePermission = endpoint('DELETE', '/permissions/:id', 'DeletePermission')<None, None, object>()

export type WireBlocklist = {
  name: string
  words: readonly string[]
  type: string
  team?: string
  created_at: string
  updated_at: string
}
type BlocklistInput = {
  name?: string
  words?: readonly string[]
  type?: string
  team?: string
  expected_updated_at?: string
}
export const listBlocklists = endpoint('GET', '/blocklists', 'ListBlockLists')<
  { team?: string },
  None,
  { blocklists: readonly WireBlocklist[] }
>()
export const createBlocklist = endpoint('POST', '/blocklists', 'CreateBlockList')<
  None,
  BlocklistInput,
  { blocklist: WireBlocklist }
>()
export const getBlocklist = endpoint('GET', '/blocklists/:name', 'GetBlockList')<
  None,
  None,
  { blocklist: WireBlocklist }
>()
export const updateBlocklist = endpoint('PUT', '/blocklists/:name', 'UpdateBlockList')<
  None,
  BlocklistInput,
  { blocklist: WireBlocklist }
>()
export const deleteBlocklist = endpoint('DELETE', '/blocklists/:name', 'DeleteBlockList')<None, None, object>()

export type WireUserGroup = {
  id: string
  name: string
  description?: string
  team_id?: string
  created_by?: string
  members?: readonly { group_id: string; user_id: string; is_admin: boolean; created_at: string; user?: WireUser }[]
  created_at: string
  updated_at: string
}
export const listUserGroups = endpoint('GET', '/usergroups', 'ListUserGroups')<
  { limit?: number; id_gt?: string; created_at_gt?: string; team_id?: string },
  None,
  { user_groups: readonly WireUserGroup[] }
>()
export const createUserGroup = endpoint('POST', '/usergroups', 'CreateUserGroup')<
  None,
  { name: string; id?: string; description?: string; member_ids?: readonly string[]; team_id?: string },
  { user_group: WireUserGroup }
>()
export const searchUserGroups = endpoint('GET', '/usergroups/search', 'SearchUserGroups')<
  { query: string; limit?: number; name_gt?: string; id_gt?: string; team_id?: string },
  None,
  { user_groups: readonly WireUserGroup[] }
>()
export const getUserGroup = endpoint('GET', '/usergroups/:id', 'GetUserGroup')<
  { team_id?: string },
  None,
  { user_group: WireUserGroup }
>()
export const updateUserGroup = endpoint('PUT', '/usergroups/:id', 'UpdateUserGroup')<
  { team_id?: string },
  { name?: string; description?: string },
  { user_group: WireUserGroup }
>()
export const deleteUserGroup = endpoint('DELETE', '/usergroups/:id', 'DeleteUserGroup')<
  { team_id?: string },
  None,
  object
>()
export const addUserGroupMembers = endpoint('POST', '/usergroups/:id/members', 'AddUserGroupMembers')<
  None,
  { member_ids: readonly string[]; as_admin?: boolean },
  { user_group: WireUserGroup }
>()
export const removeUserGroupMembers = endpoint('POST', '/usergroups/:id/members/delete', 'RemoveUserGroupMembers')<
  None,
  { member_ids: readonly string[] },
  { user_group: WireUserGroup }
>()

export const updateApp = endpoint('PATCH', '/app', 'UpdateApp')<None, Readonly<Record<string, unknown>>, object>()
type WireRateLimit = { limit: number; remaining: number; reset: number }
export const getRateLimits = endpoint('GET', '/rate_limits', 'GetRateLimits')<
  { server_side?: boolean; web?: boolean; android?: boolean; ios?: boolean; endpoints?: string },
  None,
  Readonly<Record<string, Readonly<Record<string, WireRateLimit>> | string | undefined>>
>()
export const getTask = endpoint('GET', '/tasks/:id', 'GetTask')<
  None,
  None,
  { task_id: string; status: string; created_at: string; updated_at: string; result?: unknown; error?: unknown }
>()
