import type notices from '../../../resources/locales/en/notices.json'
import { defineFeature } from '../../registry/feature.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { NoticeLog } from './Notices.tsx'

declare module '../../store/window/kinds.ts' {
  interface Dialogs {
    'notice-log': NoProps
  }
  interface Actions {
    notices: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    notices: typeof notices
  }
}

export const noticesFeature = defineFeature({
  localeAreas: ['notices'],
  dialogs: { 'notice-log': NoticeLog },
  actions: {
    notices: {
      chords: [],
      group: 'window',
      order: 460,
      inOwnWindow: true,
      run: ({ dispatch }) => void dispatch(dialogOpened({ kind: 'notice-log' })),
    },
  },
})
