import type { InvitedRole, SharingState } from '#shared/domain/sharing.ts'
import { command } from '../../../store/command.ts'
import { useWatched, type Watched } from '../../../store/watched.ts'

/** Quiet: the dialog or the form shows the error. */
const QUIET = { quiet: true }

const askSharing = command('sharing/asked', (_: void, engine) => engine.sharing.state(), QUIET)
export const startSharing = command(
  'sharing/started',
  (input: { approve: boolean; port?: number; invitation: string }, engine) => engine.sharing.start(input),
  QUIET,
)
export const announceSharing = command(
  'sharing/announced',
  (input: { on: boolean }, engine) => engine.sharing.announce(input),
  QUIET,
)
export const stopSharing = command('sharing/stopped', (_input: undefined, engine) => engine.sharing.stop(), QUIET)
export const invite = command(
  'sharing/invited',
  (input: { name: string; role: InvitedRole; channels: string[]; uses: number; endsAt: number }, engine) =>
    engine.sharing.invite(input),
  QUIET,
)
export const revokeInvitation = command(
  'sharing/revoked',
  (input: { id: string }, engine) => engine.sharing.revoke(input),
  QUIET,
)
export const decideRequest = command(
  'sharing/decided',
  (input: { id: string; accept: boolean }, engine) => engine.sharing.decide(input),
  QUIET,
)
export const lookAtInvitation = command(
  'sharing/looked',
  (input: { text: string }, engine) => engine.sharing.look(input),
  QUIET,
)
export const joinWorkspace = command(
  'sharing/joined',
  (input: { name: string }, engine) => engine.sharing.join(input),
  QUIET,
)
export const findNearby = command('sharing/nearbyAsked', (_input: undefined, engine) => engine.sharing.nearby(), QUIET)
export const reopenNearby = command(
  'sharing/reopened',
  (input: { id: string }, engine) => engine.sharing.reopen(input),
  QUIET,
)
export const askPendingJoin = command(
  'sharing/pendingAsked',
  (_input: undefined, engine) => engine.sharing.pending(),
  QUIET,
)
export const askJoinAnswer = command(
  'sharing/answerAsked',
  (_input: undefined, engine) => engine.sharing.answer(),
  QUIET,
)
export const cancelJoin = command('sharing/joinCanceled', (_input: undefined, engine) => engine.sharing.cancel(), QUIET)

export type Sharing = Watched<SharingState>

/** Sharing of the workspace in this window; follows every change. */
export function useSharing(on: boolean): Sharing {
  const watched = useWatched<SharingState>({ ask: askSharing, changed: 'sharingChanged', on })
  // The usual text is about what was typed into a field.
  const isFull = watched.error?.code === 'disk/full'
  return isFull ? { ...watched, error: { ...watched.error, code: 'sharing/disk-full' } } : watched
}
