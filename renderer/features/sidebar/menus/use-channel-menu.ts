import type { Cid } from '#shared/lib/brand.ts'
import type { Channel } from '#shared/domain/channel.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { selectConnection, selectCanParticipate } from '../../../store/selectors.ts'
import type { Dialogs } from '../../../store/window/kinds.ts'
import { dialogOpened, panelOpened, routeOpened } from '../../../store/window/ui.ts'
import type { MenuItem } from '../../../ui/Menu/Menu.tsx'
import { useOpeningItems } from '../../windows/index.ts'
import { archiveChannel, markChannelRead, muteChannel, pinChannel, showChannel } from '../commands.ts'

/** Menu of a conversation, for its row, header and details. Evaluated when the menu opens. */
export function useChannelMenu(cid: Cid): () => readonly MenuItem[] {
  const t = useTexts('sidebar')
  const more = useTexts('details')
  const data = useTexts('data')
  const formats = useFormats()
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const opening = useOpeningItems(cid)
  const ask = (what: Dialogs['channel']['what']) => (): void =>
    void dispatch(dialogOpened({ kind: 'channel', what, cid }))
  const openPanel = (panel: Parameters<typeof panelOpened>[0]) => (): void => {
    dispatch(routeOpened({ view: 'channel', cid }))
    dispatch(panelOpened(panel))
  }
  const muteItem = ({ muted, mutedUntil }: Channel, online: Why): MenuItem => ({
    id: 'mute',
    label: muted ? more('menu.unmute') : more('menu.mute'),
    icon: muted ? 'bell' : 'bell-off',
    hint:
      muted && mutedUntil !== undefined ? more('menu.until', { time: formats.weekdayAndTime(mutedUntil) }) : undefined,
    ...online,
    onSelect: () =>
      muted
        ? void dispatch(muteChannel({ cid, muted: false }))
        : dispatch(dialogOpened({ kind: 'mute', target: { cid } })),
  })
  return () => {
    const channel = store.getState().entities.channels[cid]
    if (channel === undefined) return []
    const { offline } = selectConnection(store.getState())
    const pinned = channel.pinnedAt !== undefined
    const archived = channel.archivedAt !== undefined
    const isDirect = channel.directUserIds.length > 0
    const online: Why = offline ? { disabledReason: more('why.offline') } : {}
    const right = (capability: string): Why =>
      offline || may(channel, capability) ? online : { disabledReason: more('why.permission') }
    const items: readonly MenuItem[] = [
      {
        id: 'read',
        label: t('menu.markRead'),
        icon: 'check-double',
        disabledReason: channel.unread === 0 ? t('menu.nothingUnread') : undefined,
        onSelect: () => void dispatch(markChannelRead({ cid })),
      },
      {
        id: 'pin',
        label: pinned ? t('menu.unpin') : t('menu.pin'),
        icon: pinned ? 'pin-off' : 'pin',
        ...online,
        onSelect: () => void dispatch(pinChannel({ cid, pinned: !pinned })),
      },
      muteItem(channel, online),
      {
        id: 'notify',
        label: more('menu.notify'),
        icon: 'bell',
        onSelect: () => void dispatch(dialogOpened({ kind: 'notify-level', cid })),
      },
      channel.hidden
        ? {
            id: 'unhide',
            label: more('menu.unhide'),
            icon: 'eye',
            ...online,
            onSelect: () => void dispatch(showChannel({ cid })),
          }
        : { id: 'hide', label: more('menu.hide'), icon: 'eye-off', ...online, onSelect: ask('hide') },
      {
        id: 'archive',
        label: archived ? more('menu.unarchive') : more('menu.archive'),
        icon: 'archive',
        ...online,
        onSelect: () => void dispatch(archiveChannel({ cid, archived: !archived })),
      },
      { kind: 'separator', id: 'line' },
      ...opening(),
      {
        id: 'details',
        label: more('menu.details'),
        icon: 'info',
        onSelect: openPanel({ kind: 'info', cid }),
      },
      {
        id: 'members',
        label: t('menu.members'),
        icon: 'users',
        onSelect: openPanel({ kind: 'members', cid }),
      },
      {
        id: 'export',
        label: data('menu'),
        icon: 'download',
        onSelect: () => void dispatch(dialogOpened({ kind: 'export', cid })),
      },
      ...(isDirect
        ? []
        : ([
            {
              id: 'add',
              label: more('menu.add'),
              icon: 'user-plus',
              ...right('update-channel-members'),
              onSelect: ask('people'),
            },
            {
              id: 'settings',
              label: more('menu.settings'),
              icon: 'settings',
              onSelect: openPanel({ kind: 'info', cid, page: 'settings' }),
            },
            { kind: 'separator', id: 'end' },
            {
              id: 'leave',
              label: more('menu.leave'),
              icon: 'logout',
              danger: true,
              ...right('leave-channel'),
              onSelect: ask('leave'),
            },
          ] as const satisfies readonly MenuItem[])),
    ]
    return selectCanParticipate(store.getState()) ? items : items.filter(({ id }) => READING.has(id))
  }
}

/** Items available to guests. */
const READING: ReadonlySet<string> = new Set(['beside', 'window', 'details', 'members', 'export'])

/** Spread into a menu item to disable it with a reason. */
type Why = { readonly disabledReason?: string }
