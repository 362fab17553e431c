import { useEffect } from 'react'
import type { ChannelInvite } from '#shared/domain/channel.ts'
import { useAppDispatch, useAppSelector, useAttachCount, useConnection } from '../../store/hooks.ts'
import { loadInvites } from './commands.ts'

const NONE: readonly ChannelInvite[] = []

/** Channels that ask the viewer in, as far as they are known. */
export const useInvites = (): readonly ChannelInvite[] =>
  useAppSelector(({ entities }) => entities.inbox['self']?.invites) ?? NONE

/** No one tells of invitations that came while nothing ran: they are asked for with every new connection. */
export function useInvitesAsked(): void {
  const dispatch = useAppDispatch()
  const { state } = useConnection()
  const attached = useAttachCount()
  useEffect(() => {
    if (attached >= 0 && state === 'healthy') void dispatch(loadInvites(undefined))
  }, [dispatch, state, attached])
}
