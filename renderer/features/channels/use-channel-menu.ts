import type { Cid } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppStore } from '../../store/hooks.ts'
import { panelOpened, routeOpened } from '../../store/ui.ts'
import type { MenuItem } from '../../ui/Menu.tsx'
import { markChannelRead, muteChannel, pinChannel } from './commands.ts'

/** What can be done with a conversation, for its row and its header. Read when the menu opens. */
export function useChannelMenu(cid: Cid): () => readonly MenuItem[] {
  const t = useTexts('sidebar')
  const store = useAppStore()
  const dispatch = useAppDispatch()
  return () => {
    const channel = store.getState().entities.channels[cid]
    if (channel === undefined) return []
    const { muted } = channel
    const pinned = channel.pinnedAt !== undefined
    return [
      {
        id: 'read',
        label: t('menu.markRead'),
        icon: 'check-double',
        ...(channel.unread === 0 ? { disabledReason: t('menu.nothingUnread') } : {}),
        onSelect: () => void dispatch(markChannelRead({ cid })),
      },
      {
        id: 'mute',
        label: muted ? t('menu.unmute') : t('menu.mute'),
        icon: muted ? 'bell' : 'bell-off',
        onSelect: () => void dispatch(muteChannel({ cid, muted: !muted })),
      },
      {
        id: 'pin',
        label: pinned ? t('menu.unpin') : t('menu.pin'),
        icon: pinned ? 'pin-off' : 'pin',
        onSelect: () => void dispatch(pinChannel({ cid, pinned: !pinned })),
      },
      { kind: 'separator', id: 'line' },
      {
        id: 'members',
        label: t('menu.members'),
        icon: 'users',
        onSelect: () => {
          dispatch(routeOpened({ view: 'channel', cid }))
          dispatch(panelOpened({ kind: 'members', cid }))
        },
      },
    ]
  }
}
