import type { SharingState } from '#shared/domain/sharing.ts'
import { useWatched, type Watched } from '../../../store/watched.ts'
import { askSharing } from './commands.ts'

export type Sharing = Watched<SharingState>

/** Sharing of the workspace in this window; follows every change. */
export function useSharing(on: boolean): Sharing {
  const watched = useWatched<SharingState>({ ask: askSharing, changed: 'sharingChanged', on })
  // The usual text is about what was typed into a field.
  const isFull = watched.error?.code === 'disk/full'
  return isFull ? { ...watched, error: { ...watched.error, code: 'sharing/disk-full' } } : watched
}
