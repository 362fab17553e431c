import { useEffect, useMemo, useState } from 'react'
import { LOCAL_MEMBER_SEARCH_BELOW, SUGGESTION_DEBOUNCE_MS } from '#shared/constants.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { useAppSelector, useEngine } from '../../../store/hooks.ts'
import type { Person } from './mentions.ts'
import { createSelectPeople } from '../selectors.ts'
import type { Place } from '../place.ts'

const NOBODY: readonly UserId[] = []

/**
 * Everyone who can be mentioned here. Fewer than a hundred members are all held and looked through as they are; of more,
 * the server is asked for those `named`, 300 ms after the last letter.
 */
export function usePeople(
  { cid }: Place,
  channel: Channel,
  { wanted, named }: { readonly wanted: boolean; readonly named: string },
): readonly Person[] {
  const engine = useEngine()
  const [memberIds, setMemberIds] = useState<readonly UserId[]>(NOBODY)
  const asked = wanted && memberIds.length >= LOCAL_MEMBER_SEARCH_BELOW ? named.trim() : ''

  useEffect(() => {
    if (!wanted) return undefined
    let live = true
    const ask = (): void => {
      engine.channels.members(asked === '' ? { cid } : { cid, text: asked }).then(
        (ids) => live && setMemberIds(ids ?? NOBODY),
        (error: unknown) => console.debug('members not refreshed', error),
      )
    }
    const timer = setTimeout(ask, asked === '' ? 0 : SUGGESTION_DEBOUNCE_MS)
    return () => {
      live = false
      clearTimeout(timer)
    }
  }, [engine, cid, wanted, asked])

  const select = useMemo(() => createSelectPeople(channel, memberIds), [channel, memberIds])
  return useAppSelector(select)
}
