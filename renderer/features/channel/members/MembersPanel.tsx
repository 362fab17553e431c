import { useEffect, useId, useRef, useState, useCallback, useMemo, memo, type CSSProperties } from 'react'
import type { MemberEntry } from '#shared/domain/channel.ts'
import { asUserId, type Cid, type UserId } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { useTexts, useFormats } from '../../../i18n/index.ts'
import { useDelayed, useMinute } from '../../../lib/time/clocks.ts'
import {
  useAppDispatch,
  useAppSelector,
  useChannel,
  useConnection,
  useMe,
  useUser,
  useAppStore,
} from '../../../store/hooks.ts'
import { dialogOpened, routeOpened } from '../../../store/window/ui.ts'
import { FindField } from '../../../ui/Field/TextField.tsx'
import { Menu, type MenuItem } from '../../../ui/Menu/Menu.tsx'
import { Skeleton } from '../../../ui/View/Empty.tsx'
import { useRoving } from '../../../lib/page/roving.ts'
import { useVirtualRows } from '../../../lib/page/use-virtual-rows.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Tag } from '../../../ui/Mark/Pill.tsx'
import { announce } from '../../../lib/page/announce.ts'
import { selectConnection, selectMe, selectCanParticipate } from '../../../store/selectors.ts'
import { nameOf, Portrait, presenceOf, selectName, unban } from '../../people/index.ts'
import { openDirect } from '../../sidebar/index.ts'
import { removeMember, moderate } from '../commands.ts'
import { PanelHead, useBackToDetails } from '../PanelHead.tsx'
import { useMembers, type GroupName, type MemberListView } from './use-members.ts'
import styles from '../Channel.module.css'
import info from '../Info.module.css'

/** The members of the channel, searchable by name; a click opens a profile. */
export function MembersPanel({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const headingId = useId()
  const back = useBackToDetails(cid)
  const channel = useChannel(cid)
  const { offline } = useConnection()
  const [query, setQuery] = useState('')
  const [menu, setMenu] = useState<{ readonly entry: MemberEntry; readonly anchor: Element }>()
  const members = useMembers(cid, query)
  const itemsFor = useMemberMenu(cid, members.reload)
  const changing = useAppSelector(({ ui }) => ui.dialog?.kind === 'ban' || ui.dialog?.kind === 'memberRole')
  const { reload } = members
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !changing) reload()
    wasOpen.current = changing
  })
  const waiting = useDelayed(members.groups === undefined, 150)
  const mayChange = channel !== undefined && may(channel, 'update-channel-members')
  const withdraw = async ({ userId }: MemberEntry): Promise<void> => {
    await dispatch(removeMember({ cid, userId }))
    members.reload()
  }
  return (
    <>
      <PanelHead id={headingId} title={t('members.title')} back={back}>
        <IconButton
          icon="user-plus"
          label={t(mayChange ? 'members.add' : 'members.addRefused')}
          aria-disabled={!mayChange || undefined}
          onClick={() => mayChange && dispatch(dialogOpened({ kind: 'channel', what: 'people', cid }))}
        />
      </PanelHead>
      <div className={info['find']}>
        <FindField label={t('members.find')} list="[data-region]" value={query} onChange={setQuery} />
      </div>
      {members.knownOnly ? (
        <p className={info['note']} role="status">
          {t('members.here')}
        </p>
      ) : null}
      {members.groups === undefined && members.failed ? (
        <Failed members={members} />
      ) : members.groups === undefined ? (
        <ul className={styles['panelBody']} aria-labelledby={headingId} aria-busy="true">
          {waiting
            ? [120, 150, 96, 132].map((width) => (
                <li key={width} className={styles['skeletonRow']}>
                  <Skeleton width={32} height={32} arch />
                  <Skeleton width={width} />
                </li>
              ))
            : null}
        </ul>
      ) : (
        <MemberList
          labelledBy={headingId}
          query={query}
          members={members}
          ownerId={members.ownerId}
          onOpen={(userId) => dispatch(dialogOpened({ kind: 'person', userId: asUserId(userId) }))}
          onMenu={(entry, anchor) => setMenu({ entry, anchor })}
          onWithdraw={mayChange && !offline ? (entry) => void withdraw(entry) : undefined}
        />
      )}
      {menu === undefined ? null : (
        <Menu
          label={t('members.actionsFor', { name: itemsFor.nameOf(menu.entry) })}
          items={itemsFor.items(menu.entry, members.ownerId)}
          anchor={menu.anchor}
          onClose={() => setMenu(undefined)}
        />
      )}
    </>
  )
}

const HEAD_PX = 34
const ROW_PX = 46
/** Number of rows before the end at which the next page is requested. */
const AHEAD = 20

type Line =
  | { readonly kind: 'head'; readonly name: GroupName; readonly count: number }
  | { readonly kind: 'member'; readonly entry: MemberEntry; readonly at: number }

type Props = {
  readonly labelledBy: string
  readonly query: string
  readonly members: MemberListView
  readonly ownerId: string | undefined
  readonly onOpen: (userId: string) => void
  readonly onMenu: (entry: MemberEntry, anchor: Element) => void
  readonly onWithdraw: ((entry: MemberEntry) => void) | undefined
}

/** A virtual list: only the rows in view are mounted, so ten thousand members scroll smoothly. */
function MemberList({ labelledBy, query, members, ownerId, onOpen, onMenu, onWithdraw }: Props) {
  const t = useTexts('details')
  const { groups = NONE } = members
  const lines = useMemo(() => linesOf(groups), [groups])
  const ids = useMemo(() => groups.flatMap(({ entries }) => entries.map(({ userId }) => userId)), [groups])
  const lineOf = useMemo(
    () => new Map(lines.flatMap((line, at) => (line.kind === 'member' ? [[line.entry.userId as string, at]] : []))),
    [lines],
  )
  const heights = useMemo(() => lines.map(({ kind }) => (kind === 'head' ? HEAD_PX : ROW_PX)), [lines])
  const [focused, setFocused] = useState<string>()
  const mountedIndex = focused === undefined ? undefined : lineOf.get(focused)
  const { attach, total, shown, styleOf, reveal: revealRow } = useVirtualRows({ heights, mountedIndex })
  const reveal = useCallback((id: string) => revealRow(lineOf.get(id) ?? 0), [revealRow, lineOf])
  const { containerProps, itemProps } = useRoving({ ids, pageSize: 8, reveal })
  const { ref, onFocus, onKeyDown } = containerProps
  const lastShown = shown.at(-1) ?? 0
  const { more } = members
  useEffect(() => {
    if (lastShown >= lines.length - AHEAD) more()
  })
  if (members.failed && ids.length === 0) return <Failed members={members} />
  if (ids.length === 0)
    return <p className={info['note']}>{query === '' || members.loading ? '' : t('members.none', { query })}</p>
  const title: Readonly<Record<GroupName, (count: number) => string>> = {
    staff: (count) => t('members.staff', { count }),
    others: (count) => t('members.others', { count }),
    invited: (count) => t('members.invited', { count }),
  }
  return (
    <div ref={attach} className={info['body']}>
      <ul
        ref={(element) => {
          ref.current = element
        }}
        className={info['virtual']}
        style={{ height: total }}
        aria-labelledby={labelledBy}
        aria-busy={members.loading}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          onFocus(event)
          setFocused(event.target.closest<HTMLElement>('[data-roving-id]')?.dataset['rovingId'])
        }}
      >
        {shown.map((at) => {
          const line = lines[at]
          if (line === undefined) return null
          if (line.kind === 'head') {
            // Counts all members while not all are loaded.
            const rest = line.name === 'others' && query === '' ? members.total - ids.length : 0
            return (
              <li key={line.name} className={info['groupHead']} style={styleOf(at)}>
                {title[line.name](line.count + Math.max(0, rest))}
              </li>
            )
          }
          return (
            <MemberRow
              key={line.entry.userId}
              entry={line.entry}
              isOwner={line.entry.userId === ownerId}
              rovingProps={itemProps(line.entry.userId)}
              style={styleOf(at)}
              place={{ at: line.at, of: Math.max(ids.length, query === '' ? members.total : 0) }}
              onOpen={onOpen}
              onMenu={onMenu}
              onWithdraw={onWithdraw}
            />
          )
        })}
      </ul>
      {members.failed ? <Failed members={members} /> : null}
      {members.loading && query === '' ? <p className={info['note']}>{t('members.more')}</p> : null}
    </div>
  )
}

/** The list is incomplete because a page failed to load. */
function Failed({ members }: { readonly members: MemberListView }) {
  const t = useTexts('details')
  const common = useTexts('common')
  return (
    <div className={info['note']} role="status">
      <p>{t('members.failed')}</p>
      <Button size="small" onClick={members.again}>
        {common('tryAgain')}
      </Button>
    </div>
  )
}

const NONE: NonNullable<MemberListView['groups']> = []

function linesOf(groups: NonNullable<MemberListView['groups']>): readonly Line[] {
  let at = 0
  return groups.flatMap(({ name, entries }): Line[] => [
    { kind: 'head', name, count: entries.length },
    ...entries.map((entry): Line => {
      at += 1
      return { kind: 'member', entry, at }
    }),
  ])
}

type MemberRowProps = {
  readonly entry: MemberEntry
  readonly isOwner: boolean
  readonly rovingProps: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly style: CSSProperties
  /** Position among all members, for screen readers. */
  readonly place: { readonly at: number; readonly of: number }
  readonly onOpen: (userId: string) => void
  readonly onMenu: (entry: MemberEntry, anchor: Element) => void
  /** Set if the viewer may withdraw the invitation. */
  readonly onWithdraw: ((entry: MemberEntry) => void) | undefined
}

/** A member of a channel: name, role, presence. */
const MemberRow = memo(function MemberRow(props: MemberRowProps) {
  const { entry, isOwner, rovingProps, style, place, onOpen, onMenu, onWithdraw } = props
  const t = useTexts('details')
  const common = useTexts('common')
  const user = useUser(entry.userId)
  const isMe = useMe()?.id === entry.userId
  const name = nameOf(user, entry.userId)
  return (
    <li className={info['memberRow']} style={style} aria-posinset={place.at} aria-setsize={place.of}>
      <button
        type="button"
        className={info['person']}
        {...rovingProps}
        onClick={() => onOpen(entry.userId)}
        onContextMenu={(event) => {
          event.preventDefault()
          onMenu(entry, event.currentTarget)
        }}
      >
        <Portrait userId={entry.userId} size={32} presence={user === undefined ? undefined : presenceOf(user)} />
        <span className={info['text']}>
          <span className={info['first']}>
            <bdi className="ellipsis">{name}</bdi>
            {isMe ? <span className={info['you']}>{common('you')}</span> : null}
            <Marks entry={entry} isOwner={isOwner} />
          </span>
          <StatusLine entry={entry} />
        </span>
      </button>
      {entry.invited && onWithdraw !== undefined ? (
        <Button
          size="small"
          variant="quiet"
          aria-label={t('members.withdrawOf', { name })}
          onClick={() => onWithdraw(entry)}
        >
          {t('members.withdraw')}
        </Button>
      ) : isMe ? (
        <span className={info['noActions']} />
      ) : (
        <IconButton
          icon="more"
          size="small"
          label={t('members.actionsFor', { name })}
          aria-haspopup="menu"
          onClick={(event) => onMenu(entry, event.currentTarget)}
        />
      )}
    </li>
  )
})

function Marks({ entry, isOwner }: { readonly entry: MemberEntry; readonly isOwner: boolean }) {
  const t = useTexts('details')
  const formats = useFormats()
  const user = useUser(entry.userId)
  const now = useMinute()
  const muted = user?.muted === true && (user.mutedUntil === undefined || user.mutedUntil > now)
  return (
    <>
      {isOwner ? <Tag tone="accent">{t('members.owner')}</Tag> : null}
      {!isOwner && entry.channelRole === 'channel_moderator' ? <Tag tone="accent">{t('members.moderator')}</Tag> : null}
      {user?.bot === true ? <Tag>{t('members.app')}</Tag> : null}
      {entry.banned ? <Tag tone="danger">{t('members.banned')}</Tag> : null}
      {entry.shadowBanned ? <Tag tone="danger">{t('members.shadowBanned')}</Tag> : null}
      {user?.blocked === true ? <Tag tone="danger">{t('members.blocked')}</Tag> : null}
      {muted ? (
        <Tag tone="warning">
          {user.mutedUntil === undefined
            ? t('members.muted')
            : t('members.mutedUntil', { time: formats.listTime(user.mutedUntil, now) })}
        </Tag>
      ) : null}
    </>
  )
}

/** Custom status, else presence; and when they last read. */
function StatusLine({ entry }: { readonly entry: MemberEntry }) {
  const t = useTexts('details')
  const channel = useTexts('channel')
  const formats = useFormats()
  const now = useMinute()
  const user = useUser(entry.userId)
  if (entry.invited) return <span className={info['second']}>{t('members.waiting')}</span>
  const presence = channel(user?.online !== true ? 'offline' : user.away === true ? 'away' : 'online')
  return (
    <span className={info['second']}>
      <span className="ellipsis">{user?.statusText ?? presence}</span>
      {entry.lastReadAt === undefined ? null : (
        <span className={info['readAt']}>{t('members.read', { time: formats.listTime(entry.lastReadAt, now) })}</span>
      )}
    </span>
  )
}

/** Actions on a member. Disabled ones show the reason. */
function useMemberMenu(
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
