import type { MemberEntry } from '#shared/domain/channel.ts'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { selectConnection, selectMe, selectCanParticipate } from '../../../store/selectors.ts'
import { dialogOpened, routeOpened } from '../../../store/window/ui.ts'
import type { MenuItem } from '../../../ui/Menu/Menu.tsx'
import { openDirect } from '../../sidebar/index.ts'
import { unban } from '../../people/profile/index.ts'
import { moderate, removeMember } from '../commands.ts'
import { selectName } from '../../people/index.ts'

/** Actions on a member. Disabled ones show the reason. */
export function useMemberMenu(
  cid: Cid,
  onChanged: () => void,
): {
  readonly items: (entry: MemberEntry, ownerId: string | undefined) => readonly MenuItem[]
  readonly nameOf: (entry: MemberEntry) => string
} {
  const store = useAppStore()
  const contact = useContactItems()
  const moderation = useModerationItems(cid, onChanged)
  const items = (entry: MemberEntry, ownerId: string | undefined): readonly MenuItem[] => {
    const [profile, ...others] = contact(entry.userId)
    if (!selectCanParticipate(store.getState())) return [profile]
    return [profile, ...others, { kind: 'separator', id: 'line' }, ...moderation(entry, ownerId)]
  }
  return { items, nameOf: (entry) => selectName(store.getState(), entry.userId) }
}

/** The person's profile, and for others than the user a direct message and muting. */
function useContactItems(): (userId: UserId) => readonly [MenuItem, ...MenuItem[]] {
  const t = useTexts('details')
  const profile = useTexts('profile')
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const openDirectMessage = async (userId: UserId): Promise<void> => {
    const opened = await dispatch(openDirect({ userIds: [userId] }))
    if (opened.ok) dispatch(routeOpened({ view: 'channel', cid: opened.value }))
  }
  return (userId) => {
    const state = store.getState()
    const muted = state.entities.users[userId]?.muted === true
    const showProfile = (): void => void dispatch(dialogOpened({ kind: 'person', userId }))
    const mute = (): void => void dispatch(dialogOpened({ kind: 'mute', target: { userId } }))
    const first: MenuItem = { id: 'profile', label: t('members.profile'), icon: 'user', onSelect: showProfile }
    if (selectMe(state)?.id === userId) return [first]
    return [
      first,
      { id: 'message', label: t('members.message'), icon: 'chat', onSelect: () => void openDirectMessage(userId) },
      {
        id: 'mute',
        label: muted ? profile('unmute') : profile('mute'),
        icon: muted ? 'bell' : 'bell-off',
        onSelect: muted ? showProfile : mute,
      },
    ]
  }
}

/** The role of moderator, and for others than the user reporting, banning and removing. */
function useModerationItems(cid: Cid, onChanged: () => void) {
  const t = useTexts('details')
  const roles = useTexts('roles')
  const profile = useTexts('profile')
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const change = async (work: Promise<{ readonly ok: boolean }>, announcement?: string): Promise<void> => {
    const done = await work
    if (done.ok && announcement !== undefined) announce(announcement)
    onChanged()
  }
  return (entry: MemberEntry, ownerId: string | undefined): readonly MenuItem[] => {
    const state = store.getState()
    const channel = state.entities.channels[cid]
    const { userId } = entry
    const name = selectName(state, entry.userId)
    const why = (capability: string, more?: string): { disabledReason?: string } => {
      const permitted = channel !== undefined && may(channel, capability)
      const reason = selectConnection(state).offline ? t('why.offline') : permitted ? more : t('why.permission')
      return reason === undefined ? {} : { disabledReason: reason }
    }
    const ownsChannel = userId === ownerId ? t('why.owner') : undefined
    const isModerator = entry.channelRole === 'channel_moderator'
    const moderator: MenuItem = {
      id: 'moderate',
      label: isModerator ? t('members.endModerator') : t('members.makeModerator'),
      icon: 'shield',
      ...why('update-channel-members'),
      onSelect: () => void change(dispatch(moderate({ cid, userId, moderator: !isModerator }))),
    }
    const role: MenuItem = {
      id: 'role',
      label: roles('member.change'),
      icon: 'key',
      ...why('update-channel-members'),
      onSelect: () => dispatch(dialogOpened({ kind: 'memberRole', cid, userId, role: entry.channelRole })),
    }
    if (selectMe(state)?.id === userId) return [moderator, role]
    const ban: MenuItem =
      entry.banned || entry.shadowBanned
        ? {
            id: 'unban',
            label: profile('unban'),
            icon: 'ban',
            ...why('ban-channel-members'),
            onSelect: () => void change(dispatch(unban({ cid, userId })), profile('unbanned', { name })),
          }
        : {
            id: 'ban',
            label: profile('ban'),
            icon: 'ban',
            danger: true,
            ...why('ban-channel-members', ownsChannel),
            onSelect: () => dispatch(dialogOpened({ kind: 'ban', cid, userId })),
          }
    return [
      moderator,
      role,
      {
        id: 'report',
        label: profile('report'),
        icon: 'flag',
        onSelect: () => dispatch(dialogOpened({ kind: 'report', target: { userId } })),
      },
      ban,
      {
        id: 'remove',
        label: t('members.remove'),
        icon: 'logout',
        danger: true,
        ...why('update-channel-members', ownsChannel),
        onSelect: () => void change(dispatch(removeMember({ cid, userId }))),
      },
    ]
  }
}
