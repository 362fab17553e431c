import type { SharingState } from '#shared/domain/sharing.ts'
import { useWatched, type Watched } from '../../../store/watched.ts'
import { askSharing } from './commands.ts'

export type Sharing = Watched<SharingState>

/** Sharing of the workspace in this window; follows every change. */
export const useSharing = (on: boolean): Sharing =>
  useWatched<SharingState>({ ask: askSharing, changed: 'sharingChanged', on })
