import type typing from '../../../resources/locales/en/typing.json'
import { defineFeature } from '../../registry/feature.ts'

declare module '../../i18n/areas.ts' {
  interface Areas {
    typing: typeof typing
  }
}

export const typingFeature = defineFeature({ localeAreas: ['typing'] })
