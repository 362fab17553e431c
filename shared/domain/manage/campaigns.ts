import type { FieldValue } from './directory.ts'

/** A draft changes freely; a scheduled campaign waits for its time; the last two are ends. */
export const CAMPAIGN_STATES = ['draft', 'scheduled', 'in_progress', 'completed', 'stopped'] as const
export type CampaignState = (typeof CAMPAIGN_STATES)[number]

/** The most a campaign can name. */
export const CAMPAIGN_SEGMENTS = 25
export const CAMPAIGN_PEOPLE = 10_000
export const CAMPAIGN_NAME_LENGTH = 255
export const CAMPAIGN_DESCRIPTION_LENGTH = 1_000
export const CAMPAIGN_ATTACHMENTS = 10
export const CAMPAIGN_MEMBERS = 100

/** Whether the sender becomes a member of the channels of a campaign, or leaves them. Absent: stays as they are. */
export const SENDER_MODES = ['include', 'exclude'] as const
export type SenderMode = (typeof SENDER_MODES)[number]

/** What becomes of the channels in the sender's own list. Absent: they are shown. */
export const SENDER_VISIBILITIES = ['hidden', 'archived'] as const
export type SenderVisibility = (typeof SENDER_VISIBILITIES)[number]

/** A file of a message: what the window shows of it, and all of it as the server has it. */
export type CampaignAttachment = { readonly title: string; readonly image: boolean; readonly json: string }

/** Where a message goes instead of a direct message: one channel with this id, or a channel of its own for each person. */
export type CampaignChannel = {
  readonly type: string
  /** Absent: one for each person, with these members besides. */
  readonly id?: string
  readonly members: readonly string[]
  /** Those of the members who are moderators of channels that are created. */
  readonly moderators?: readonly string[]
  readonly team?: string
  /** What channels that are created are called. */
  readonly name?: string
  /** Custom fields of channels that are created. */
  readonly fields: Readonly<Record<string, FieldValue>>
  /** Members with other roles or fields of their own, which only other programs can give, as the server has them. */
  readonly membersJson?: string
}

/** What an administrator writes. */
export type CampaignContent = {
  readonly name: string
  readonly description: string
  readonly senderId: string
  readonly senderMode?: SenderMode
  readonly senderVisibility?: SenderVisibility
  /** With fields: see shared/rules/campaigns/campaigns.ts. */
  readonly text: string
  readonly attachments: readonly CampaignAttachment[]
  readonly pollId?: string
  /** Custom fields of the message. */
  readonly fields: Readonly<Record<string, FieldValue>>
  readonly segmentIds: readonly string[]
  readonly userIds: readonly string[]
  readonly channel?: CampaignChannel
  readonly createChannels: boolean
  readonly showChannels: boolean
  readonly skipPush: boolean
  readonly skipWebhook: boolean
}

/** The poll of a message, as everyone gets a copy of it. */
export type CampaignPoll = { readonly question: string; readonly options: readonly string[] }

/**
 * A campaign that is being written, as it was stored on this device. `version`: the stored campaign that it is based on;
 * absent: it is new.
 */
export type KeptCampaignDraft = { readonly content: CampaignContent; readonly version?: string; readonly at: number }

/** What the server counts, and nothing else. */
export type CampaignStats = {
  /** 0 to 1. */
  readonly progress: number
  readonly startedAt?: number
  readonly completedAt?: number
  readonly usersSent: number
  /** Absent: the server does not say. */
  readonly usersDelivered?: number
  readonly usersRead: number
  readonly messagesSent: number
  readonly channelsCreated: number
}

/** What the server counted when this device asked, in epoch milliseconds of the server. */
export type CampaignReading = Omit<CampaignStats, 'progress' | 'startedAt' | 'completedAt'> & { readonly at: number }

/**
 * What others answered, as far as this device knows: `count` in `known` of the `all` channels that the message was sent
 * to. In the others it is not known, and nothing is estimated.
 */
export type CampaignReplies = { readonly count: number; readonly known: number; readonly all: number }

/** A segment as a campaign names it. `size`: as the server counted it last. */
export type CampaignSegment = {
  readonly id: string
  readonly name: string
  readonly type: 'user' | 'channel'
  readonly size: number
}

/** A campaign in a list. Times in epoch milliseconds. */
export type ListedCampaign = {
  readonly id: string
  readonly content: CampaignContent
  readonly state: CampaignState
  readonly segments: readonly CampaignSegment[]
  readonly stats: CampaignStats
  readonly scheduledFor?: number
  readonly stopAt?: number
  readonly createdAt?: number
  readonly updatedAt?: number
  /** What a screen shows; a change is refused if the server has another one. */
  readonly version: string
}

/** Why a person has not got the message. `pending`: their turn did not come. */
export const NOT_SENT = ['pending', 'skipped', 'failed'] as const
type NotSentState = (typeof NOT_SENT)[number]

/** A person or a channel without the message, with the reason as the server gave it. */
export type NotSent = {
  readonly kind: 'user' | 'channel'
  readonly id: string
  readonly state: NotSentState
  readonly reason: string
  readonly at?: number
}

/** A campaign that is open. `notSent`: absent where the server does not say whom it did not reach. */
export type OpenCampaign = {
  readonly campaign: ListedCampaign
  readonly notSent?: {
    /** The first of them; `count` are all. */
    readonly rows: readonly NotSent[]
    readonly count: number
  }
  /** Where they are stored on this computer instead of loaded: when that was. */
  readonly storedAt?: number
  /** Each time that this device found a figure changed, oldest first. Absent: it has not started. */
  readonly readings?: readonly CampaignReading[]
}

/**
 * Why someone who is named does not get a message: `unknown`, the server has nobody with this id; `no-channel`, there is no
 * channel with them and none is created; `too-long` and `empty`, the server refuses the message as it is for them;
 * `returned`, a rule or a block list of the workspace does.
 */
export const EXCLUSIONS = [
  'sender',
  'deactivated',
  'deleted',
  'unknown',
  'no-channel',
  'too-long',
  'empty',
  'returned',
] as const
export type Exclusion = (typeof EXCLUSIONS)[number]

/** What becomes of the channel of a person. `unknown`: the server does not let it be foreseen. */
export const REACHES = ['existing', 'new', 'unknown'] as const
export type Reach = (typeof REACHES)[number]

/** A person in the list of a dry run. */
export type DryRunPerson = {
  readonly id: string
  readonly name: string
  /** The place in the order of sending, from 1; absent for those who are left out. */
  readonly place?: number
  /** The segments they are in; `null`: they are named. */
  readonly from: readonly (string | null)[]
  readonly reach: Reach
  /** The message as they will read it. */
  readonly text: string
  /** Fields without a value for them, such as `receiver.region`. */
  readonly missing: readonly string[]
  /** Where their profile names one. */
  readonly timeZone?: string
  /** Absent: they get it. */
  readonly why?: Exclusion
}

/** Which people of a dry run are listed. */
export const DRY_RUN_VIEWS = ['gets', 'left-out'] as const
export type DryRunView = (typeof DRY_RUN_VIEWS)[number]

/** What a dry run found. */
export type DryRunSummary = {
  /** Epoch milliseconds. */
  readonly at: number
  /** Everyone who gets it. */
  readonly people: number
  /** Channels that segments name; the message is posted once in each. */
  readonly channels: number
  /** How often people were named altogether, and how many of these repeat another one. */
  readonly found: number
  readonly twice: number
  readonly excluded: { readonly [Why in Exclusion]?: number }
  readonly reach: { readonly [Each in Reach]?: number }
  /** How many of those who get it have this time zone in their profile; of the others it is not known. */
  readonly zones: Readonly<Record<string, number>>
  /** How many of those who get it have no value, by the name of the field. */
  readonly missing: Readonly<Record<string, number>>
  /** Characters of the longest message, and of the longest that the server takes. */
  readonly longest: number
  readonly maxLength: number
  /** Segments that follow a filter, or contain everyone: they are counted again at the start. */
  readonly follows: boolean
}

/** How far a dry run is. Its people stay in main until the next one. */
export type DryRunStep = {
  readonly run: string
  readonly checked: number
  /** Absent until it is complete. */
  readonly summary?: DryRunSummary
}
