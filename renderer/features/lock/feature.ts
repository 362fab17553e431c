import type lock from '../../../resources/locales/en/lock.json'
import { defineFeature } from '../../registry/feature.ts'
import { selectLock } from '../../store/window/host.ts'
import { lockNow } from './commands.ts'

declare module '../../store/window/kinds.ts' {
  interface Actions {
    lock: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    lock: typeof lock
  }
}

export const lockFeature = defineFeature({
  localeAreas: ['lock'],
  actions: {
    lock: {
      chords: ['Mod+L'],
      group: 'window',
      order: 480,
      allowed: (state) => selectLock(state).on,
      inOwnWindow: true,
      run: ({ dispatch }) => void dispatch(lockNow(undefined)),
    },
  },
})
