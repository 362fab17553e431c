import type { HistoryFilter } from '#shared/domain/manage/history.ts'
import { defineFeature } from '../../../registry/feature.ts'
import { historyCalls, historyTable } from './calls.ts'

declare module '../../../registry/feature.ts' {
  interface Offers {
    /** The history of actions as a table for spreadsheets. */
    historyTable(filter: HistoryFilter): ReturnType<typeof historyTable>
  }
}

type Parts = Parameters<typeof historyCalls>[0]

export const historyFeature = defineFeature({
  create: (core: Parts) => ({
    calls: { history: historyCalls(core) },
    offers: { historyTable: (filter: HistoryFilter) => historyTable(core, filter) },
  }),
})
