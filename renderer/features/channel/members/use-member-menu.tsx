import type { MemberEntry } from '#shared/domain/channel-details.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { selectConnection, selectMe, selectCanParticipate } from '../../../store/selectors.ts'
import { dialogOpened, routeOpened } from '../../../store/window/ui.ts'
import type { MenuItem } from '../../../ui/Menu/Menu.tsx'
import { openDirect } from '../../sidebar/index.ts'
import { liftBan } from '../../people/profile/index.ts'
import { moderate, removeMember } from '../commands.ts'

/** Actions on a member. Disabled ones show the reason. */
export function useMemberMenu(
  cid: Cid,
  onChanged: () => void,
): {
  readonly items: (entry: MemberEntry, ownerId: string | undefined) => readonly MenuItem[]
  readonly nameOf: (entry: MemberEntry) => string
} {
  const t = useTexts('details')
  const profile = useTexts('profile')
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const nameOf = ({ userId }: MemberEntry): string => cleanName(store.getState().entities.users[userId]?.name ?? userId)
  const items = (entry: MemberEntry, ownerId: string | undefined): readonly MenuItem[] => {
    const state = store.getState()
    const channel = state.entities.channels[cid]
    const { userId } = entry
    const isMe = selectMe(state)?.id === userId
    const offline = selectConnection(state).offline
    const permitted = channel !== undefined && may(channel, 'update-channel-members')
    const why = (more?: string, capable = permitted): { disabledReason?: string } => {
      const reason = offline ? t('why.offline') : capable ? more : t('why.permission')
      return reason === undefined ? {} : { disabledReason: reason }
    }
    const isModerator = entry.channelRole === 'channel_moderator'
    const isBanned = entry.banned || entry.shadowBanned
    const mayBan = channel !== undefined && may(channel, 'ban-channel-members')
    const muted = state.entities.users[userId]?.muted === true
    const open = async (): Promise<void> => {
      const opened = await dispatch(openDirect({ userIds: [userId] }))
      if (opened.ok) dispatch(routeOpened({ view: 'channel', cid: opened.value }))
    }
    const change = async (work: Promise<{ readonly ok: boolean }>, announcement?: string): Promise<void> => {
      const done = await work
      if (done.ok && announcement !== undefined) announce(announcement)
      onChanged()
    }
    const all: readonly MenuItem[] = [
      {
        id: 'profile',
        label: t('members.profile'),
        icon: 'user',
        onSelect: () => dispatch(dialogOpened({ kind: 'person', userId })),
      },
      ...(isMe
        ? []
        : [
            { id: 'message', label: t('members.message'), icon: 'chat', onSelect: () => void open() } as const,
            {
              id: 'mute',
              label: muted ? profile('unmute') : profile('mute'),
              icon: muted ? 'bell' : 'bell-off',
              onSelect: () =>
                dispatch(dialogOpened(muted ? { kind: 'person', userId } : { kind: 'mute', target: { userId } })),
            } as const,
          ]),
      { kind: 'separator', id: 'line' },
      {
        id: 'moderate',
        label: isModerator ? t('members.endModerator') : t('members.makeModerator'),
        icon: 'shield',
        ...why(),
        onSelect: () => void change(dispatch(moderate({ cid, userId, moderator: !isModerator }))),
      },
      ...(isMe
        ? []
        : [
            {
              id: 'report',
              label: profile('report'),
              icon: 'flag',
              onSelect: () => dispatch(dialogOpened({ kind: 'report', target: { userId } })),
            } as const,
            isBanned
              ? ({
                  id: 'unban',
                  label: profile('unban'),
                  icon: 'ban',
                  ...why(undefined, mayBan),
                  onSelect: () =>
                    void change(dispatch(liftBan({ cid, userId })), profile('unbanned', { name: nameOf(entry) })),
                } as const)
              : ({
                  id: 'ban',
                  label: profile('ban'),
                  icon: 'ban',
                  danger: true,
                  ...why(userId === ownerId ? t('why.owner') : undefined, mayBan),
                  onSelect: () => dispatch(dialogOpened({ kind: 'ban', cid, userId })),
                } as const),
            {
              id: 'remove',
              label: t('members.remove'),
              icon: 'logout',
              danger: true,
              ...why(userId === ownerId ? t('why.owner') : undefined),
              onSelect: () =>
                void change(dispatch(removeMember({ cid, userId })), t('members.removed', { name: nameOf(entry) })),
            } as const,
          ]),
    ]
    return selectCanParticipate(state) ? all : all.slice(0, 1)
  }
  return { items, nameOf }
}
