import { mayShareLocation } from '#shared/rules/channels/capabilities.ts'
import type { Cid } from '#shared/lib/brand.ts'
import type locations from '../../../resources/locales/en/locations.json'
import { part } from '../../lib/page/part.tsx'
import { defineFeature, type ActionContext } from '../../registry/feature.ts'
import { selectCanParticipate, selectOpenCid } from '../../store/selectors.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { sendCommand } from '../../store/commands.ts'
import type { TakenPlace } from './use-place-form.ts'

declare module '../../store/window/kinds.ts' {
  interface Dialogs {
    /** A location for this channel. `from`: an unsent one that was withdrawn. */
    location: { readonly cid: Cid; readonly from?: TakenPlace }
  }
  interface Actions {
    stopSharing: void
    shareLocation: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    locations: typeof locations
  }
}

function shareLocationHere({ dispatch, getState }: ActionContext): void {
  const cid = selectOpenCid(getState())
  const channel = cid === undefined ? undefined : getState().entities.channels[cid]
  if (channel !== undefined && mayShareLocation(channel)) dispatch(dialogOpened({ kind: 'location', cid: channel.cid }))
}

export const locationsFeature = defineFeature({
  localeAreas: ['locations'],
  dialogs: { location: part(async () => (await import('./LocationDialog.tsx')).LocationDialog) },
  actions: {
    stopSharing: {
      chords: ['Mod+Shift+G'],
      group: 'window',
      order: 230,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => dispatch(sendCommand('stopSharing')),
    },
    shareLocation: {
      chords: [],
      group: 'composer',
      order: 500,
      allowed: selectCanParticipate,
      inOwnWindow: true,
      run: shareLocationHere,
    },
  },
})
