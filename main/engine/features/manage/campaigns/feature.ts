import { defineFeature } from '../../../registry/feature.ts'
import { campaignCalls, campaignTable } from './calls.ts'

declare module '../../../registry/feature.ts' {
  interface Offers {
    /** What the server counts of a campaign, and whom it did not reach, as a table for spreadsheets. */
    campaignTable(id: string): Promise<{ readonly text: string; readonly rows: number }>
  }
}

export const campaignsFeature = defineFeature({
  create: (core: Parameters<typeof campaignCalls>[0]) => ({
    calls: { campaigns: campaignCalls(core) },
    offers: { campaignTable: (id: string) => campaignTable(core, id) },
  }),
})
