import { useEffect, useState } from 'react'
import type { Ban } from '#shared/domain/ban.ts'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { useAppDispatch, useAppSelector, useConnection, useMe } from '../../../store/hooks.ts'
import { selectOpenCid } from '../../../store/selectors.ts'
import { loadBans } from './commands.ts'

/** The channel on screen and the user's ban from it; `undefined` if the viewer may not ban this user there. */
export function useBan(userId: UserId): { readonly cid: Cid; readonly ban: Ban | undefined } | undefined {
  const dispatch = useAppDispatch()
  const me = useMe()?.id
  const { offline } = useConnection()
  const cid = useAppSelector((state) => {
    const open = selectOpenCid(state)
    const channel = open === undefined ? undefined : state.entities.channels[open]
    const isOurs = channel !== undefined && channel.directUserIds.length === 0
    return isOurs && userId !== me && may(channel, 'ban-channel-members') ? channel.cid : undefined
  })
  const [ban, setBan] = useState<Ban>()
  useEffect(() => {
    let live = true
    const load = async (of: Cid): Promise<void> => {
      const loaded = await dispatch(loadBans({ cid: of, userId }))
      if (live && loaded.ok) setBan(loaded.value.bans[0])
    }
    if (cid !== undefined && !offline) void load(cid)
    return () => {
      live = false
    }
  }, [dispatch, cid, userId, offline])
  return cid === undefined ? undefined : { cid, ban }
}
