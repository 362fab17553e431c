import type composer from '../../../resources/locales/en/composer.json'
import { defineFeature } from '../../registry/feature.ts'
import { COMPOSER_PARTS, PlusMenu, SendMenu, SuggestionList } from './parts.ts'
import { MATCHING } from './suggestions/use-suggestions.ts'

declare module '../../store/window/kinds.ts' {
  interface Actions {
    send: void
    newLine: void
    sendMenu: void
    editLast: void
    undoHeld: void
    preview: void
    bold: void
    italic: void
    strike: void
    attach: void
    cancel: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    composer: typeof composer
  }
}

/** The composer handles its keys itself; they are listed for the shortcuts and the quick switcher. */
export const composerFeature = defineFeature({
  localeAreas: ['composer'],
  actions: {
    send: { chords: ['Enter'], group: 'composer', order: 800 },
    newLine: { chords: ['Shift+Enter'], group: 'composer', order: 810 },
    sendMenu: { chords: ['Mod+Shift+Enter'], group: 'composer', order: 820 },
    editLast: { chords: ['ArrowUp'], group: 'composer', order: 830 },
    undoHeld: { chords: ['Mod+Z'], group: 'composer', order: 840 },
    preview: { chords: ['Mod+Shift+P'], group: 'composer', order: 850 },
    bold: { chords: ['Mod+B'], group: 'composer', order: 860 },
    italic: { chords: ['Mod+I'], group: 'composer', order: 870 },
    strike: { chords: ['Mod+Shift+X'], group: 'composer', order: 880 },
    attach: { chords: ['Mod+U'], group: 'composer', order: 890 },
    cancel: { chords: ['Escape'], group: 'composer', order: 900 },
  },
  warmFirst() {
    for (const part of [SuggestionList, SendMenu, PlusMenu]) part.warm()
    // When it cannot be loaded now, the first list tries again.
    MATCHING.load().catch(() => undefined)
  },
  warm() {
    for (const { warm } of COMPOSER_PARTS) warm()
  },
})
