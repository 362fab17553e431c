import type { Core, Submissions } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { locationCalls } from './calls.ts'
import { ShareWatch } from './sharing.ts'
import { Tracks } from './tracks.ts'

declare module '../../registry/feature.ts' {
  interface Offers {
    /** When the last live share ends that was started since the program started; absent if none runs. Server time. */
    sharesUntil(): number | undefined
    /** Ends all live shares at once. */
    stopSharing(): void
  }
}

type Parts = Submissions &
  Pick<
    Core,
    'api' | 'background' | 'collector' | 'context' | 'housekeeping' | 'isHealthy' | 'life' | 'stores' | 'write'
  >

export const locationsFeature = defineFeature({
  create(core: Parts) {
    const shares = new ShareWatch(core)
    const tracks = new Tracks(core)
    return {
      calls: { locations: locationCalls(core, shares, tracks) },
      offers: { sharesUntil: () => shares.endsAt(), stopSharing: () => shares.stopAll() },
      start: [
        // A share that is due while the app was closed is parked before the queue would release it.
        { phase: 'before-queue', order: 10, run: () => shares.start() },
        { phase: 'before-queue', order: 30, run: () => tracks.start() },
      ],
      onTouched: [{ order: 20, run: (touched) => tracks.committed(touched) }],
      onSettings: [{ order: 20, run: (before) => tracks.settingsChanged(before) }],
    }
  },
})
