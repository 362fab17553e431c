import { CAMPAIGN_NAME_LENGTH, type CampaignContent } from '#shared/domain/manage/campaigns.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { isSame } from '#shared/lib/same.ts'
import { cutText } from '#shared/rules/messages/text.ts'

/** A campaign while it is being changed. `version`: the stored one that the change is based on; absent: it is new. */
export type CampaignDraft = { readonly content: CampaignContent; readonly version?: string }

export const newContent = (senderId: string): CampaignContent => ({
  name: '',
  description: '',
  senderId,
  text: '',
  attachments: [],
  fields: {},
  segmentIds: [],
  userIds: [],
  createChannels: true,
  showChannels: true,
  skipPush: false,
  skipWebhook: false,
})

/** A copy under another name: what was sent stays with the original. */
export const copyOf = (content: CampaignContent, name: string): CampaignContent => ({
  ...content,
  name: cutText(name, CAMPAIGN_NAME_LENGTH),
})

/** For the people whom a campaign did not reach, and nobody else. */
export const forOnly = (content: CampaignContent, userIds: readonly string[], name: string): CampaignContent => ({
  ...copyOf(content, name),
  segmentIds: [],
  userIds,
})

type CampaignProblem = 'name' | 'sender' | 'message'

/** Why it cannot be saved yet; `undefined`: it can. */
export function problemOf({ name, senderId, text, attachments, pollId }: CampaignContent): CampaignProblem | undefined {
  if (isBlank(name)) return 'name'
  if (senderId === '') return 'sender'
  return isBlank(text) && attachments.length === 0 && pollId === undefined ? 'message' : undefined
}

/** What a border leaves out counts as absent. */
export const isSameContent = (a: CampaignContent, b: CampaignContent): boolean => isSame(a, b)

/** As a call takes it. */
export const sentContent = (
  content: CampaignContent,
): Parameters<EngineClient['campaigns']['create']>[0]['content'] => ({
  ...content,
  name: content.name.trim(),
  senderId: asUserId(content.senderId),
  attachments: [...content.attachments],
  segmentIds: [...content.segmentIds],
  userIds: content.userIds.map(asUserId),
  channel: content.channel && { ...content.channel, members: content.channel.members.map(asUserId) },
})
