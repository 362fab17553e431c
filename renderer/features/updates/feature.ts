import type updates from '../../../resources/locales/en/updates.json'
import { defineFeature } from '../../registry/feature.ts'

declare module '../../i18n/areas.ts' {
  interface Areas {
    updates: typeof updates
  }
}

export const updatesFeature = defineFeature({ localeAreas: ['updates'] })
