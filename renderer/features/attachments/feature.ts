import type downloads from '../../../resources/locales/en/downloads.json'
import { part } from '../../lib/page/part.tsx'
import { defineFeature } from '../../registry/feature.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { Attachments } from './index.ts'

declare module '../../store/window/kinds.ts' {
  interface Dialogs {
    /** Downloaded files. */
    downloads: NoProps
  }
  interface Actions {
    downloads: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    downloads: typeof downloads
  }
}

export const attachmentsFeature = defineFeature({
  localeAreas: ['downloads'],
  dialogs: { downloads: part(async () => (await import('./downloads/DownloadsDialog.tsx')).DownloadsDialog) },
  actions: {
    downloads: {
      chords: [],
      group: 'window',
      order: 470,
      run: ({ dispatch }) => void dispatch(dialogOpened({ kind: 'downloads' })),
    },
  },
  warm() {
    Attachments.warm()
  },
  ready: ({ entities }) =>
    Object.values(entities.messages).some(({ attachments, uploads }) => attachments.length + uploads.length > 0)
      ? Attachments.ready()
      : undefined,
})
