import type messages from '../../../resources/locales/en/messages.json'
import { defineFeature } from '../../registry/feature.ts'
import { PaneOverlays } from './actions/use-pane-actions.tsx'
import { DayMenu } from './list/JumpToDay.tsx'
import { ReturnPill } from './list/MessagePane.tsx'
import { goToNewest, reactToNewest } from './list/use-list-keys.ts'

declare module '../../store/window/kinds.ts' {
  interface Actions {
    walkMessages: void
    newest: void
    reactToNewest: void
    oldestUnread: void
    nextMention: void
    replyInThread: void
    quote: void
    react: void
    edit: void
    pin: void
    remind: void
    markUnread: void
    save: void
    openLink: void
    forwardMessage: void
    select: void
    selectRange: void
    copy: void
    copyMarkdown: void
    copyLink: void
    quickReaction: void
    whoReacted: void
    profile: void
    whyNotified: void
    viewer: void
    delete: void
    deleteAtOnce: void
    messageMenu: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    messages: typeof messages
  }
}

/** The list handles most of its keys itself; they are listed for the shortcuts and the quick switcher. */
export const messagesFeature = defineFeature({
  localeAreas: ['messages'],
  actions: {
    walkMessages: { chords: ['ArrowUp', 'ArrowDown'], group: 'messages', order: 520 },
    newest: { chords: ['Mod+J'], group: 'messages', order: 530, inOwnWindow: true, run: goToNewest },
    reactToNewest: { chords: ['Mod+Shift+\\'], group: 'messages', order: 540, inOwnWindow: true, run: reactToNewest },
    oldestUnread: { chords: ['Shift+PageUp'], group: 'messages', order: 550 },
    nextMention: { chords: ['N', 'Shift+N'], group: 'messages', order: 560 },
    replyInThread: { chords: ['T'], group: 'messages', order: 570 },
    quote: { chords: ['Q'], group: 'messages', order: 580 },
    react: { chords: ['R'], group: 'messages', order: 590 },
    edit: { chords: ['E'], group: 'messages', order: 600 },
    pin: { chords: ['P'], group: 'messages', order: 610 },
    remind: { chords: ['M'], group: 'messages', order: 620 },
    markUnread: { chords: ['U'], group: 'messages', order: 630 },
    save: { chords: ['A'], group: 'messages', order: 640 },
    openLink: { chords: ['O'], group: 'messages', order: 650 },
    forwardMessage: { chords: ['F'], group: 'messages', order: 660 },
    select: { chords: ['X', 'Space'], group: 'messages', order: 670 },
    selectRange: { chords: ['Shift+ArrowUp', 'Shift+ArrowDown'], group: 'messages', order: 680 },
    copy: { chords: ['Mod+C'], group: 'messages', order: 690 },
    copyMarkdown: { chords: ['Mod+Shift+C'], group: 'messages', order: 700 },
    copyLink: { chords: ['L'], group: 'messages', order: 710 },
    quickReaction: { chords: ['1', '2', '3'], group: 'messages', order: 720 },
    whoReacted: { chords: ['I'], group: 'messages', order: 730 },
    profile: { chords: ['S'], group: 'messages', order: 740 },
    whyNotified: { chords: ['W'], group: 'messages', order: 750 },
    viewer: { chords: ['V'], group: 'messages', order: 760 },
    delete: { chords: ['Delete'], macChords: ['Backspace'], group: 'messages', order: 770 },
    deleteAtOnce: { chords: ['Shift+Delete'], macChords: ['Shift+Backspace'], group: 'messages', order: 780 },
    messageMenu: { chords: ['Shift+F10'], macChords: ['Mod+Enter'], group: 'messages', order: 790 },
  },
  warm() {
    PaneOverlays.warm()
    ReturnPill.warm()
    DayMenu.warm()
  },
})
