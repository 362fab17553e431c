import { useEffect, useState } from 'react'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import type { Ban, User } from '#shared/domain/user.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { hueOf } from '../../../ui/Avatar/Avatar.tsx'
import { useMinute } from '../../../lib/time/clocks.ts'
import {
  useAppDispatch,
  useAppSelector,
  useConnection,
  useMe,
  useCanParticipate,
  useUser,
} from '../../../store/hooks.ts'
import { dialogClosed, dialogOpened, routeOpened } from '../../../store/window/ui.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Dialog, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { type MenuItem, useMenu } from '../../../ui/Menu/Menu.tsx'
import { channelTitle, openDirect } from '../../sidebar/index.ts'
import { Portrait, presenceOf } from '../index.ts'
import { blockPerson, unban, loadShared, unmutePerson, loadBans } from './commands.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { selectOpenCid } from '../../../store/selectors.ts'
import styles from './Profile.module.css'

/** A user's profile: presence, shared channels, and actions. */
export function PersonDialog({ userId }: { readonly userId: UserId }) {
  const t = useTexts('profile')
  const dispatch = useAppDispatch()
  const formats = useFormats()
  const user = useUser(userId)
  const canParticipate = useCanParticipate()
  const isMe = useMe()?.id === userId
  const banned = useBan(userId)
  const formMessage = useRemark()
  const menu = useMenu({
    label: t('more'),
    items: useActions(userId, banned),
    placement: { side: 'below', align: 'end', gap: 4 },
  })
  const close = (): void => void dispatch(dialogClosed())
  const message = async (): Promise<void> => {
    const opened = await dispatch(openDirect({ userIds: [userId] }))
    if (!opened.ok) {
      formMessage.refuse(opened.error)
      return
    }
    close()
    dispatch(routeOpened({ view: 'channel', cid: opened.value }))
  }
  return (
    <Dialog width={400} title={t('title')} onClose={close}>
      <div className={styles['cover']} style={{ background: `var(--hue-${hueOf(userId)}-soft)` }} aria-hidden="true" />
      <div className={styles['form']}>
        <div className={styles['person']}>
          <Portrait userId={userId} size={72} presence={user === undefined ? undefined : presenceOf(user)} />
          <div className={styles['who']}>
            <div className={styles['name']} dir="auto">
              {cleanName(user?.name ?? userId)}
            </div>
            {user?.title === undefined ? null : (
              <div className={styles['status']} dir="auto">
                {user.title}
              </div>
            )}
            {user?.statusText === undefined ? null : (
              <div className={styles['status']} dir="auto">
                {user.statusText}
                {user.statusUntil === undefined ? null : (
                  <bdi>, {t('statusUntil', { time: formats.dayAndTime(user.statusUntil) })}</bdi>
                )}
              </div>
            )}
            {user === undefined ? null : <Presence user={user} />}
            {banned?.ban === undefined ? null : <Banned ban={banned.ban} />}
          </div>
        </div>
        {isMe || !canParticipate ? null : (
          <div className={styles['acts']}>
            <Button variant="primary" block onClick={() => void message()}>
              {t('message')}
            </Button>
            <IconButton icon="more" label={t('more')} {...menu.triggerProps} />
            {menu.menu}
          </div>
        )}
        <dl className={styles['facts']}>
          <dt>{t('id')}</dt>
          <dd>
            <code>{userId}</code>
          </dd>
          {user === undefined || user.role === 'user' ? null : (
            <>
              <dt>{t('role')}</dt>
              <dd>{user.bot ? t('app') : user.role}</dd>
            </>
          )}
        </dl>
        <Shared userId={userId} />
        <Refusal text={formMessage.text} />
      </div>
    </Dialog>
  )
}

function Presence({ user }: { readonly user: User }) {
  const t = useTexts('profile')
  const formats = useFormats()
  const now = useMinute()
  const seen = user.lastActiveAt
  const there = user.timeZone === undefined ? undefined : formats.timeIn(now, user.timeZone)
  const local = there === formats.time(now) ? undefined : there
  const muteEnds = user.mutedUntil
  return (
    <>
      <div className={styles['line']}>
        {user.online
          ? t(user.away === true ? 'away' : 'online')
          : seen === undefined
            ? t('offline')
            : t('lastSeen', { when: formats.ago(seen, now) })}
      </div>
      {local === undefined ? null : (
        <div className={styles['line']}>
          <Icon name="clock" size={15} />
          {t('localTime', { time: local })}
        </div>
      )}
      {user.muted === true ? (
        <div className={styles['line']}>
          <Icon name="bell-off" size={15} />
          {muteEnds === undefined ? t('muted') : t('mutedUntil', { time: formats.dayAndTime(muteEnds) })}
        </div>
      ) : null}
      {user.blocked === true ? (
        <div className={styles['line']}>
          <Icon name="ban" size={15} />
          {t('blocked')}
        </div>
      ) : null}
    </>
  )
}

/** For moderators: the user's ban from the channel on screen, with end and reason. */
function Banned({ ban }: { readonly ban: Ban }) {
  const t = useTexts('profile')
  const formats = useFormats()
  const { until } = ban
  const kind = ban.shadow ? 'shadow' : 'open'
  return (
    <>
      <div className={styles['line']}>
        <Icon name="ban" size={15} />
        {until === undefined ? t(`banned.${kind}`) : t(`banned.${kind}Until`, { time: formats.dayAndTime(until) })}
      </div>
      {ban.reason === undefined ? null : (
        <div className={styles['line']} dir="auto">
          {ban.reason}
        </div>
      )}
    </>
  )
}

function Shared({ userId }: { readonly userId: UserId }) {
  const t = useTexts('profile')
  const dispatch = useAppDispatch()
  const isMe = useMe()?.id === userId
  const [cids, setCids] = useState<readonly Cid[]>()
  useEffect(() => {
    let live = true
    const load = async (): Promise<void> => {
      const loaded = await dispatch(loadShared({ userId }))
      if (live && loaded.ok) setCids(loaded.value)
    }
    void load()
    return () => {
      live = false
    }
  }, [dispatch, userId])
  const channels = useAppSelector((state) => state.entities.channels)
  if (cids === undefined || isMe) return null
  const named = cids.filter((cid) => channels[cid]?.directUserIds.length === 0)
  return (
    <div>
      <h3 className={styles['heading']}>{t('shared')}</h3>
      {named.length === 0 ? (
        <p className={styles['none']}>{t('sharedNone')}</p>
      ) : (
        <div className={styles['shared']}>
          {named.map((cid) => (
            <SharedChannel key={cid} cid={cid} />
          ))}
        </div>
      )}
    </div>
  )
}

function SharedChannel({ cid }: { readonly cid: Cid }) {
  const dispatch = useAppDispatch()
  const title = useAppSelector((state) => channelTitle(state, cid))
  const isPrivate = useAppSelector((state) => state.entities.channels[cid]?.isPrivate === true)
  return (
    <button
      type="button"
      className={styles['channel']}
      onClick={() => {
        dispatch(dialogClosed())
        dispatch(routeOpened({ view: 'channel', cid }))
      }}
    >
      <Icon name={isPrivate ? 'lock' : 'hash'} size={14} />
      <bdi className="ellipsis">{title}</bdi>
    </button>
  )
}

/** The actions of the menu. */
function useActions(userId: UserId, banned: ReturnType<typeof useBan>): () => readonly MenuItem[] {
  const t = useTexts('profile')
  const details = useTexts('details')
  const dispatch = useAppDispatch()
  const user = useUser(userId)
  const { offline } = useConnection()
  const muted = user?.muted === true
  const blocked = user?.blocked === true
  const why = offline ? { disabledReason: details('why.offline') } : {}
  const unbanFrom = async (cid: Cid): Promise<void> => {
    const unbanned = await dispatch(unban({ cid, userId }))
    if (!unbanned.ok) return
    announce(t('unbanned', { name: cleanName(user?.name ?? userId) }))
    dispatch(dialogClosed())
  }
  return () => [
    {
      id: 'mute',
      label: muted ? t('unmute') : t('mute'),
      icon: muted ? 'bell' : 'bell-off',
      ...why,
      onSelect: () =>
        muted ? void dispatch(unmutePerson({ userId })) : dispatch(dialogOpened({ kind: 'mute', target: { userId } })),
    },
    {
      id: 'block',
      label: blocked ? t('unblock') : t('block'),
      icon: 'ban',
      onSelect: () => void dispatch(blockPerson({ userId, blocked: !blocked })),
    },
    ...(banned === undefined
      ? []
      : [
          banned.ban === undefined
            ? ({
                id: 'ban',
                label: t('ban'),
                icon: 'ban',
                ...why,
                onSelect: () => dispatch(dialogOpened({ kind: 'ban', cid: banned.cid, userId })),
              } as const)
            : ({
                id: 'unban',
                label: t('unban'),
                icon: 'ban',
                ...why,
                onSelect: () => void unbanFrom(banned.cid),
              } as const),
        ]),
    { kind: 'separator', id: 'line' },
    {
      id: 'report',
      label: t('report'),
      icon: 'flag',
      danger: true,
      ...why,
      onSelect: () => dispatch(dialogOpened({ kind: 'report', target: { userId } })),
    },
  ]
}

/** The channel on screen and the user's ban from it; `undefined` if the viewer may not ban this user there. */
function useBan(userId: UserId): { readonly cid: Cid; readonly ban: Ban | undefined } | undefined {
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
