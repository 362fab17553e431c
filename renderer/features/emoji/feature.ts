import type emoji from '../../../resources/locales/en/emoji.json'
import { defineFeature } from '../../registry/feature.ts'
import { EmojiPopover } from './index.ts'

declare module '../../i18n/areas.ts' {
  interface Areas {
    emoji: typeof emoji
  }
}

export const emojiFeature = defineFeature({ localeAreas: ['emoji'], warm: EmojiPopover.warm })
