import { useMemo } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppSelector, useAppStore } from '../../../store/hooks.ts'
import { channelTitle } from '../../sidebar/index.ts'

/** The choice of the whole workspace. */
export const EVERYWHERE = 'everywhere'

/**
 * Where the viewer may ban: the channel on screen and the whole workspace, or without a channel each of them.
 *
 * @param cid the channel on screen
 */
export function usePlaces(cid: Cid | undefined): readonly { readonly value: string; readonly label: string }[] {
  const t = useTexts('profile')
  const { compare } = useFormats()
  const rights = useAppSelector((state) => state.entities.manage['self']?.rights)
  const channels = useAppSelector((state) => state.entities.channels)
  const store = useAppStore()
  return useMemo(() => {
    const titles = store.getState()
    const everywhere =
      rights?.includes('ban-everywhere') === true ? [{ value: EVERYWHERE, label: t('banDialog.everywhere') }] : []
    if (cid !== undefined) {
      return [{ value: cid, label: t('banDialog.onlyIn', { channel: channelTitle(titles, cid) }) }, ...everywhere]
    }
    const allowed = Object.values(channels)
      .filter((channel) => channel.directUserIds.length === 0 && may(channel, 'ban-channel-members'))
      .map((channel) => ({ value: channel.cid as string, label: `#${channelTitle(titles, channel.cid)}` }))
      .toSorted((a, b) => compare(a.label, b.label))
    return [...everywhere, ...allowed]
  }, [t, compare, rights, channels, store, cid])
}
