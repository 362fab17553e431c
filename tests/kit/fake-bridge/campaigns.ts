import type { CampaignContent, DryRunSummary, ListedCampaign, OpenCampaign } from '#shared/domain/manage/campaigns.ts'
import { MANAGE_RIGHTS } from '#shared/domain/manage/manage.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { aConnection, aSession, aUser, byId, createFakeBridge } from './index.ts'

/** Campaigns as a window gets them: one that is written, one that is going out. */

export const content: CampaignContent = {
  name: 'Beta news',
  description: 'For testers',
  senderId: 'ola',
  text: 'Hi {{receiver.first_name|there}}',
  attachments: [],
  fields: {},
  segmentIds: ['s1'],
  userIds: ['ewa'],
  createChannels: true,
  showChannels: true,
  skipPush: false,
  skipWebhook: false,
}
const stats = { progress: 0, usersSent: 0, usersRead: 0, messagesSent: 0, channelsCreated: 0 }
export const draft: ListedCampaign = {
  id: 'c1',
  content,
  state: 'draft',
  segments: [{ id: 's1', name: 'Testers', type: 'user', size: 2 }],
  stats,
  updatedAt: 5,
  version: 'v1',
}
export const running: ListedCampaign = {
  ...draft,
  id: 'c2',
  content: { ...content, name: 'Going out' },
  state: 'in_progress',
  stats: { ...stats, progress: 0.5, usersSent: 1_234, usersRead: 400, messagesSent: 1_234, channelsCreated: 800 },
}
export const summary: DryRunSummary = {
  at: 5,
  people: 3,
  channels: 0,
  found: 6,
  twice: 1,
  excluded: { sender: 1, deactivated: 1 },
  reach: { new: 2, existing: 1 },
  zones: { 'Asia/Tokyo': 1, 'Europe/Lisbon': 1 },
  missing: { 'receiver.first_name': 1 },
  longest: 8,
  maxLength: 5_000,
  follows: true,
}
export const person = {
  id: 'ewa',
  name: 'Ewa',
  place: 1,
  from: [null],
  reach: 'new',
  text: 'Hi Ewa',
  missing: [],
} as const

export const KEPT_AT = Date.UTC(2026, 10, 20, 9, 0)

/** A bridge with these campaigns, whose dry run finds {@link person}. */
export function campaignScene(rows: readonly ListedCampaign[] = [draft, running], connection = aConnection()) {
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      users: byId(['ola', 'ewa', 'hana'].map((id) => aUser({ id, name: `${id} name` }))),
      connection: { self: connection },
      manage: { self: { rights: [...MANAGE_RIGHTS], source: 'owner', changes: {} } },
    },
  })
  bridge.on('campaigns.list', () => ({ campaigns: rows }))
  bridge.on('campaigns.get', ({ id }): OpenCampaign => {
    const campaign = rows.find((each) => each.id === id)
    if (!campaign) throw new AppError('campaigns/gone')
    return { campaign, notSent: { rows: [], count: 0 } }
  })
  bridge.on('campaigns.replies', () => ({}))
  bridge.on('campaigns.drafts', () => ({}))
  bridge.on('campaigns.keepDraft', ({ draft: written }) => (written === undefined ? {} : { at: KEPT_AT }))
  bridge.on('campaigns.dryRun', () => ({ run: 'r1', checked: 5, summary }))
  bridge.on('campaigns.people', () => ({ people: [person], count: 1 }))
  bridge.on('campaigns.endDryRun', () => undefined)
  return bridge
}
export const refused = (code: string) => () => {
  throw new AppError(code)
}
