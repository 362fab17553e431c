import { endpoint, type None, type CursorBody, type CursorReply, type Filter, type SortField } from './endpoint.ts'
import type { WireUser } from './objects.ts'

/** Campaigns and segments: for server tokens. See docs/wire.md 3.15, 5.17 and 5.18. */
export type CampaignInput = {
  id?: string | null
  name?: string
  description?: string
  message_template: { text?: string; attachments?: readonly unknown[]; custom?: object; poll_id?: string }
  sender_id: string
  sender_mode?: 'include' | 'exclude' | null
  sender_visibility?: 'hidden' | 'archived' | null
  segment_ids?: readonly string[]
  user_ids?: readonly string[]
  channel_template?: {
    type: string
    id?: string
    members?: readonly string[]
    members_template?: readonly { user_id: string; channel_role?: string; custom?: object }[]
    team?: string
    custom?: object
  }
  create_channels?: boolean
  show_channels?: boolean
  skip_push?: boolean
  skip_webhook?: boolean
}

type WireCampaignStats = {
  progress: number
  stats_started_at: string
  stats_completed_at: string
  stats_users_sent: number
  /** Our server's own: who confirmed that it arrived. Absent: nobody confirms that in these channels. */
  stats_users_delivered?: number
  stats_users_read: number
  stats_messages_sent: number
  stats_channels_created: number
}

export type WireCampaign = Omit<CampaignInput, 'id'> & {
  id: string
  name: string
  description: string
  status: string
  scheduled_for?: string
  stop_at?: string
  segments: readonly WireSegment[]
  users: readonly WireUser[]
  sender: WireUser
  stats: WireCampaignStats
  created_at: string
  updated_at: string
}
/** Our server's own: whom a campaign did not reach, those it failed at first. */
export type WireNotSent = {
  count: number
  targets: readonly { kind: string; target_id: string; state: string; reason: string; updated_at: string }[]
}
type CampaignReply = { campaign: WireCampaign; users: CursorReply; not_sent?: WireNotSent }
/** Our server's own: the change is refused if someone else was first. Other servers ignore it. */
type Expected = { expected_updated_at?: string }

export const createCampaign = endpoint('POST', '/campaigns', 'CreateCampaign')<None, CampaignInput, CampaignReply>()
export const getCampaign = endpoint('GET', '/campaigns/:id', 'GetCampaign')<
  { limit?: number; next?: string; prev?: string; not_sent_limit?: number },
  None,
  CampaignReply
>()
export const updateCampaign = endpoint('PUT', '/campaigns/:id', 'UpdateCampaign')<
  None,
  CampaignInput & Expected,
  CampaignReply
>()
export const deleteCampaign = endpoint('DELETE', '/campaigns/:id', 'DeleteCampaign')<None, None, object>()
export const startCampaign = endpoint('POST', '/campaigns/:id/start', 'StartCampaign')<
  None,
  { scheduled_for?: string; stop_at?: string } & Expected,
  CampaignReply
>()
export const stopCampaign = endpoint('POST', '/campaigns/:id/stop', 'StopCampaign')<
  None,
  object,
  { campaign: WireCampaign }
>()
export const queryCampaigns = endpoint('POST', '/campaigns/query', 'QueryCampaigns')<
  None,
  CursorBody & { user_limit?: number },
  CursorReply & { campaigns: readonly WireCampaign[] }
>()

type SegmentInput = {
  id?: string
  type?: string
  name?: string
  description?: string
  filter?: Filter
  all_users?: boolean
  all_sender_channels?: boolean
}
export type WireSegment = {
  id: string
  type: string
  name: string
  description: string
  filter: Filter
  all_users: boolean
  all_sender_channels: boolean
  size: number
  created_at: string
  updated_at: string
}
type SegmentReply = { segment: WireSegment }

export const createSegment = endpoint('POST', '/segments', 'CreateSegment')<None, SegmentInput, SegmentReply>()
export const getSegment = endpoint('GET', '/segments/:id', 'GetSegment')<None, None, SegmentReply>()
export const updateSegment = endpoint('PUT', '/segments/:id', 'UpdateSegment')<
  None,
  SegmentInput & Expected,
  SegmentReply
>()
export const deleteSegment = endpoint('DELETE', '/segments/:id', 'DeleteSegment')<None, None, object>()
export const querySegments = endpoint('POST', '/segments/query', 'QuerySegments')<
  None,
  CursorBody,
  CursorReply & { segments: readonly WireSegment[] }
>()
export const addSegmentTargets = endpoint('POST', '/segments/:id/addtargets', 'AddSegmentTargets')<
  None,
  { target_ids: readonly string[] },
  object
>()
export const deleteSegmentTargets = endpoint('POST', '/segments/:id/deletetargets', 'DeleteSegmentTargets')<
  None,
  { target_ids: readonly string[] },
  object
>()
export const segmentTargetExists = endpoint('GET', '/segments/:id/target/:targetId', 'SegmentTargetExists')<
  None,
  None,
  object
>()
export const querySegmentTargets = endpoint('POST', '/segments/:id/targets/query', 'QuerySegmentTargets')<
  None,
  {
    filter?: Filter
    Filter?: Filter
    sort?: readonly SortField[]
    Sort?: readonly SortField[]
    limit?: number
    next?: string
  },
  { targets: readonly { segment_id: string; target_id: string; created_at: string }[]; next?: string }
>()
