import { useEffect } from 'react'
import type { ChannelInvite } from '#shared/domain/channel.ts'
import { useAppDispatch, useAppSelector, useAttachCount, useConnection } from '../../store/hooks.ts'
import { loadInvites } from './commands.ts'

const NONE: readonly ChannelInvite[] = []

/** The viewer's pending invitations, as far as loaded. */
export const useInvites = (): readonly ChannelInvite[] =>
  useAppSelector(({ entities }) => entities.inbox['self']?.invites) ?? NONE

/** Loads invitations at every new connection, because no event reports those sent while offline. */
export function useLoadInvites(): void {
  const dispatch = useAppDispatch()
  const { state } = useConnection()
  const attached = useAttachCount()
  useEffect(() => {
    if (attached >= 0 && state === 'healthy') void dispatch(loadInvites(undefined))
  }, [dispatch, state, attached])
}
