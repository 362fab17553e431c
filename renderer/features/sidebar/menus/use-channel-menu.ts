import type { Cid } from '#shared/lib/brand.ts'
import type { Channel } from '#shared/domain/channel.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { selectConnection, selectCanParticipate } from '../../../store/selectors.ts'
import type { Thunk } from '../../../store/store.ts'
import type { Dialogs } from '../../../store/window/kinds.ts'
import { dialogOpened, panelOpened, routeOpened } from '../../../store/window/ui.ts'
import type { MenuItem } from '../../../ui/Menu/Menu.tsx'
import { useOpeningItems } from '../../windows/index.ts'
import { archiveChannel, markChannelRead, muteChannel, pinChannel, showChannel } from '../commands.ts'
import { folderSection, homeOf, sectionOf } from '#shared/rules/channels/sidebar.ts'
import { moveConversation, useAnnouncedNudge } from '../arranging.ts'
import { selectPlan, useSectionTitles } from '../selectors.ts'

/** Menu of a conversation, for its row, header and details. Evaluated when the menu opens. */
export function useChannelMenu(cid: Cid): () => readonly MenuItem[] {
  const details = useTexts('details')
  const store = useAppStore()
  const ownItems = useOwnItems(cid)
  const opening = useOpeningItems(cid)
  const pageItems = usePageItems(cid)
  const groupItems = useGroupItems(cid)
  return () => {
    const channel = store.getState().entities.channels[cid]
    if (channel === undefined) return []
    const { offline } = selectConnection(store.getState())
    const online: Why = offline ? { disabledReason: details('why.offline') } : {}
    const right = (capability: string): Why =>
      offline || may(channel, capability) ? online : { disabledReason: details('why.permission') }
    const items: readonly MenuItem[] = [
      ...ownItems(channel, online),
      { kind: 'separator', id: 'line' },
      ...opening(),
      ...pageItems(),
      ...(channel.directUserIds.length > 0 ? [] : groupItems(right)),
    ]
    return selectCanParticipate(store.getState()) ? items : items.filter(({ id }) => READING.has(id))
  }
}

/** How the conversation is listed and what it notifies of, for this user alone. */
function useOwnItems(cid: Cid): (channel: Channel, online: Why) => readonly MenuItem[] {
  const t = useTexts('sidebar')
  const details = useTexts('details')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const muteItem = ({ muted, mutedUntil }: Channel, online: Why): MenuItem => ({
    id: 'mute',
    label: muted ? details('menu.unmute') : details('menu.mute'),
    icon: muted ? 'bell' : 'bell-off',
    hint:
      muted && mutedUntil !== undefined
        ? details('menu.until', { time: formats.weekdayAndTime(mutedUntil) })
        : undefined,
    ...online,
    onSelect: () =>
      muted
        ? void dispatch(muteChannel({ cid, muted: false }))
        : dispatch(dialogOpened({ kind: 'mute', target: { cid } })),
  })
  const hideItem = ({ hidden }: Channel, online: Why): MenuItem => ({
    id: hidden ? 'unhide' : 'hide',
    label: hidden ? details('menu.unhide') : details('menu.hide'),
    icon: hidden ? 'eye' : 'eye-off',
    ...online,
    onSelect: () =>
      hidden ? void dispatch(showChannel({ cid })) : dispatch(dialogOpened({ kind: 'channel', what: 'hide', cid })),
  })
  return (channel, online) => {
    const pinned = channel.pinnedAt !== undefined
    const archived = channel.archivedAt !== undefined
    return [
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
        label: details('menu.notify'),
        icon: 'bell',
        onSelect: () => void dispatch(dialogOpened({ kind: 'notify-level', cid })),
      },
      hideItem(channel, online),
      {
        id: 'archive',
        label: archived ? details('menu.unarchive') : details('menu.archive'),
        icon: 'archive',
        ...online,
        onSelect: () => void dispatch(archiveChannel({ cid, archived: !archived })),
      },
    ]
  }
}

/** Details, members and export. */
function usePageItems(cid: Cid): () => readonly MenuItem[] {
  const t = useTexts('sidebar')
  const details = useTexts('details')
  const data = useTexts('data')
  const dispatch = useAppDispatch()
  return () => [
    {
      id: 'details',
      label: details('menu.details'),
      icon: 'info',
      onSelect: () => dispatch(panelOpenedIn(cid, { kind: 'info', cid })),
    },
    {
      id: 'members',
      label: t('menu.members'),
      icon: 'users',
      onSelect: () => dispatch(panelOpenedIn(cid, { kind: 'members', cid })),
    },
    {
      id: 'export',
      label: data('menu'),
      icon: 'download',
      onSelect: () => void dispatch(dialogOpened({ kind: 'export', cid })),
    },
  ]
}

/** Adding people, settings and leaving, which direct messages do not have. */
function useGroupItems(cid: Cid): (right: (capability: string) => Why) => readonly MenuItem[] {
  const details = useTexts('details')
  const dispatch = useAppDispatch()
  const ask = (what: Dialogs['channel']['what']) => (): void =>
    void dispatch(dialogOpened({ kind: 'channel', what, cid }))
  return (right) => [
    {
      id: 'add',
      label: details('menu.add'),
      icon: 'user-plus',
      ...right('update-channel-members'),
      onSelect: ask('people'),
    },
    {
      id: 'settings',
      label: details('menu.settings'),
      icon: 'settings',
      onSelect: () => dispatch(panelOpenedIn(cid, { kind: 'info', cid, page: 'settings' })),
    },
    { kind: 'separator', id: 'end' },
    {
      id: 'leave',
      label: details('menu.leave'),
      icon: 'logout',
      danger: true,
      ...right('leave-channel'),
      onSelect: ask('leave'),
    },
  ]
}

/** Shows a panel beside its channel. */
const panelOpenedIn =
  (cid: Cid, panel: Parameters<typeof panelOpened>[0]): Thunk =>
  (dispatch) => {
    dispatch(routeOpened({ view: 'channel', cid }))
    dispatch(panelOpened(panel))
  }

/** Items available to guests. */
const READING: ReadonlySet<string> = new Set(['beside', 'window', 'details', 'members', 'export'])

/** Spread into a menu item to disable it with a reason. */
type Why = { readonly disabledReason?: string }

/** Menu of a sidebar row: the conversation's menu, why it is unread, and moving it to another section. */
export function useRowMenu(cid: Cid): () => readonly MenuItem[] {
  const t = useTexts('sidebar')
  const unread = useTexts('unread')
  const titleOf = useSectionTitles()
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const own = useChannelMenu(cid)
  const nudge = useAnnouncedNudge(cid)
  const step = (id: 'up' | 'down', by: 1 | -1): MenuItem => ({
    id: `step-${id}`,
    label: t(`move.step.${id}`),
    icon: id === 'up' ? 'arrow-up' : 'arrow-down',
    onSelect: () => void nudge(by),
  })
  return () => {
    const state = store.getState()
    const channel = state.entities.channels[cid]
    if (channel === undefined) return []
    const plan = selectPlan(state)
    const here = sectionOf(channel, plan)
    const places = [homeOf(channel), ...plan.folders.map(({ id }) => folderSection(id))].filter((name) => name !== here)
    const items = own()
    const end = items.findIndex(({ id }) => id === 'end')
    // Items that cannot be undone come last.
    const [rest, leaving] = end < 0 ? [items, []] : [items.slice(0, end), items.slice(end)]
    return [
      ...rest,
      { kind: 'separator', id: 'line-why' },
      {
        id: 'why',
        label: unread('why.menu'),
        icon: 'help',
        onSelect: () => void dispatch(dialogOpened({ kind: 'why-unread', cid })),
      },
      { kind: 'separator', id: 'line-move' },
      step('up', -1),
      step('down', 1),
      ...places.map((to): MenuItem => ({
        id: `to-${to}`,
        label: t('move.to', { section: titleOf(to) }),
        icon: 'arrow-right',
        onSelect: () => void dispatch(moveConversation(cid, { to })),
      })),
      {
        id: 'to-new',
        label: t('move.toNew'),
        icon: 'plus',
        onSelect: () => void dispatch(dialogOpened({ kind: 'folder', cid })),
      },
      ...leaving,
    ]
  }
}
