import type { CampaignState } from '../../domain/manage/campaigns.ts'

/** What can be done with a campaign in a state. See docs/wire.md 8.20; the server and the window follow the same table. */
const TABLE: Readonly<Record<CampaignState, readonly CampaignAct[]>> = {
  draft: ['change', 'start', 'delete'],
  scheduled: ['change', 'start', 'stop', 'delete'],
  in_progress: ['stop'],
  completed: ['delete'],
  stopped: ['delete'],
}

export type CampaignAct = 'change' | 'start' | 'stop' | 'delete'

export const may = (act: CampaignAct, state: CampaignState): boolean => TABLE[state].includes(act)

/** It has begun: what it sent and to whom is known. */
export const hasBegun = (state: CampaignState): boolean => state !== 'draft' && state !== 'scheduled'
