import { useEffect, useId, useState } from 'react'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import type { Channel, ChannelAbout, MediaCount } from '#shared/domain/channel.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useTexts, useFormats } from '../../../i18n/index.ts'
import {
  useAppDispatch,
  useAppSelector,
  useChannel,
  useConnection,
  useCanParticipate,
  useSession,
  useUser,
} from '../../../store/hooks.ts'
import type { Panels } from '../../../store/window/kinds.ts'
import { dialogOpened, panelOpened, searchOpened } from '../../../store/window/ui.ts'
import { Icon, type IconName } from '../../../ui/Icon/Icon.tsx'
import { useMenu } from '../../../ui/Menu/Menu.tsx'
import { useMinute } from '../../../lib/time/clocks.ts'
import { archiveChannel, channelTitle, muteChannel, pinChannel, useChannelMenu } from '../../sidebar/index.ts'
import { useNames } from '../../people/index.ts'
import { loadAbout, loadHere } from '../commands.ts'
import { PanelHead } from '../PanelHead.tsx'
import { SettingsPanel, ChannelTile } from './SettingsPanel.tsx'
import { MediaPanel } from './MediaPanel.tsx'
import styles from '../Info.module.css'

/** The details of a channel, or one of their pages. */
export function InfoSheet({ cid, page }: Panels['info']) {
  if (page === undefined) return <InfoPanel cid={cid} />
  if (page === 'settings') return <SettingsPanel cid={cid} />
  return <MediaPanel key={`${cid} ${page}`} cid={cid} name={page} />
}

/** What a channel is, who is in it and what lies in it. Changing anything is another page. */
export function InfoPanel({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const headingId = useId()
  const channel = useChannel(cid)
  const title = useAppSelector((state) => channelTitle(state, cid))
  const about = useAbout(cid)
  return (
    <>
      <PanelHead id={headingId} title={t('title')} />
      <div className={styles['body']}>
        <section className={`${styles['section']} ${styles['lead']}`} aria-labelledby={`${headingId}-name`}>
          <ChannelTile cid={cid} />
          <h3 id={`${headingId}-name`} className={styles['name']} dir="auto">
            {title}
          </h3>
          {channel?.topic === undefined ? null : (
            <p className={styles['topic']} dir="auto">
              {channel.topic}
            </p>
          )}
          <LeadActions cid={cid} />
        </section>
        <Rows cid={cid} about={about} />
        {channel === undefined ? null : <AboutFacts channel={channel} about={about} />}
        <LastActions cid={cid} />
      </div>
    </>
  )
}

/** Reloaded when the newest message of the channel changes. */
function useAbout(cid: Cid): ChannelAbout | undefined {
  const dispatch = useAppDispatch()
  const lastMessageAt = useChannel(cid)?.lastMessageAt
  const [loadedAbout, setLoadedAbout] = useState<{ cid: Cid; at: number | undefined; about: ChannelAbout }>()
  useEffect(() => {
    let live = true
    const load = async (): Promise<void> => {
      const loaded = await dispatch(loadAbout({ cid }))
      if (live && loaded.ok) setLoadedAbout({ cid, at: lastMessageAt, about: loaded.value })
    }
    void load()
    return () => {
      live = false
    }
  }, [dispatch, cid, lastMessageAt])
  return loadedAbout?.cid === cid ? loadedAbout.about : undefined
}

function Rows({ cid, about }: { readonly cid: Cid; readonly about: ChannelAbout | undefined }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const channel = useChannel(cid)
  if (channel === undefined) return null
  const isDirect = channel.directUserIds.length > 0
  const page = (name: NonNullable<Panels['info']['page']>) => (): void =>
    void dispatch(panelOpened({ kind: 'info', cid, page: name }))
  const plain = (count: number): MediaCount => ({ count, more: false })
  return (
    <nav className={`${styles['section']} ${styles['tight']}`} aria-label={t('title')}>
      <Row
        icon="users"
        name={t('rows.members')}
        count={plain(channel.memberCount)}
        onClick={() => dispatch(panelOpened({ kind: 'members', cid }))}
      />
      <Row
        icon="pin"
        name={t('rows.pinned')}
        count={plain(channel.pinnedMessageCount)}
        onClick={() => dispatch(panelOpened({ kind: 'pinned', cid }))}
      />
      <Row icon="image" name={t('rows.media')} count={about?.mediaTabs.media} onClick={page('media')} />
      <Row icon="file" name={t('rows.files')} count={about?.mediaTabs.files} onClick={page('files')} />
      <Row icon="link" name={t('rows.links')} count={about?.mediaTabs.links} onClick={page('links')} />
      <Row icon="poll" name={t('rows.polls')} count={about?.mediaTabs.polls} onClick={page('polls')} />
      <Row icon="settings" name={isDirect ? t('rows.settingsHere') : t('rows.settings')} onClick={page('settings')} />
    </nav>
  )
}

type RowProps = {
  readonly icon: IconName
  readonly name: string
  readonly count?: MediaCount
  readonly onClick: () => void
}

function Row({ icon, name, count, onClick }: RowProps) {
  const t = useTexts('details')
  return (
    <button type="button" className={styles['row']} onClick={onClick}>
      <Icon name={icon} size={18} />
      <span className={styles['rowName']}>{name}</span>
      {count === undefined || (count.more && count.count === 0) ? null : (
        <span className={styles['rowCount']}>
          {count.more ? t('rows.atLeast', { count: count.count }) : count.count}
        </span>
      )}
      <Icon name="chevron-right" size={15} />
    </button>
  )
}

/** Archive and leave. */
function LastActions({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const channel = useChannel(cid)
  const { offline } = useConnection()
  if (channel === undefined) return null
  const archived = channel.archivedAt !== undefined
  const isDirect = channel.directUserIds.length > 0
  const why = offline ? t('why.offline') : may(channel, 'leave-channel') ? undefined : t('why.permission')
  return (
    <div className={`${styles['section']} ${styles['tight']}`}>
      <button
        type="button"
        className={styles['row']}
        aria-disabled={offline || undefined}
        onClick={() => offline || void dispatch(archiveChannel({ cid, archived: !archived }))}
      >
        <Icon name="archive" size={18} />
        <span className={styles['rowName']}>{archived ? t('menu.unarchive') : t('menu.archive')}</span>
        {offline ? <span className={styles['reason']}>{t('why.offline')}</span> : null}
      </button>
      {isDirect ? null : (
        <button
          type="button"
          className={`${styles['row']} ${styles['danger']}`}
          aria-disabled={why !== undefined || undefined}
          onClick={() => why === undefined && dispatch(dialogOpened({ kind: 'channel', what: 'leave', cid }))}
        >
          <Icon name="logout" size={18} />
          <span className={styles['rowName']}>{t('leave.confirm')}</span>
          {why === undefined ? null : <span className={styles['reason']}>{why}</span>}
        </button>
      )}
    </div>
  )
}

/** The most used actions of a channel as tiles. */
function LeadActions({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const channel = useChannel(cid)
  const menu = useMenu({
    label: t('acts.more'),
    items: useChannelMenu(cid),
    placement: { side: 'below', align: 'end', gap: 4 },
  })
  const canParticipate = useCanParticipate()
  if (channel === undefined) return null
  const { muted } = channel
  const pinned = channel.pinnedAt !== undefined
  return (
    <div className={styles['acts']}>
      {canParticipate ? (
        <>
          <button
            type="button"
            className={styles['act']}
            aria-pressed={muted}
            onClick={() =>
              muted
                ? void dispatch(muteChannel({ cid, muted: false }))
                : dispatch(dialogOpened({ kind: 'mute', target: { cid } }))
            }
          >
            <Icon name={muted ? 'bell-off' : 'bell'} size={18} />
            {muted ? t('acts.muted') : t('acts.notify')}
          </button>
          <button
            type="button"
            className={styles['act']}
            onClick={() => void dispatch(pinChannel({ cid, pinned: !pinned }))}
          >
            <Icon name={pinned ? 'pin-off' : 'pin'} size={18} />
            {pinned ? t('acts.unpin') : t('acts.pin')}
          </button>
        </>
      ) : null}
      <button type="button" className={styles['act']} onClick={() => dispatch(searchOpened({ cid }))}>
        <Icon name="search" size={18} />
        {t('acts.search')}
      </button>
      <button type="button" className={styles['act']} {...menu.triggerProps}>
        <Icon name="more" size={18} />
        {t('acts.more')}
      </button>
      {menu.menu}
    </div>
  )
}

type Props = { readonly channel: Channel; readonly about: ChannelAbout | undefined }

/** Creation and visibility of the channel, and who is here. */
export function AboutFacts({ channel, about }: Props) {
  const t = useTexts('details')
  const formats = useFormats()
  const id = useId()
  const now = useMinute()
  const creator = useUser(about?.createdBy)
  const workspace = useSession().workspace?.name ?? ''
  const isDirect = channel.directUserIds.length > 0
  const created = about?.createdAt === undefined ? undefined : formats.date(about.createdAt, now)
  const muteEnd = channel.mutedUntil
  return (
    <>
      <section className={styles['section']} aria-labelledby={id}>
        <h3 id={id} className={styles['heading']}>
          {t('about.title')}
        </h3>
        <dl className={styles['facts']}>
          {created === undefined ? null : (
            <>
              <dt>{t('about.created')}</dt>
              <dd>
                {creator === undefined
                  ? created
                  : t('about.createdBy', { date: created, name: cleanName(creator.name) })}
              </dd>
            </>
          )}
          <dt>{t('about.visibility')}</dt>
          <dd>
            {isDirect || channel.isPrivate || channel.type === 'messaging'
              ? t('about.members')
              : t('about.everyone', { workspace })}
          </dd>
          {channel.watcherCount > 0 ? (
            <>
              <dt>{t('about.here')}</dt>
              <dd>
                <Watchers cid={channel.cid} count={channel.watcherCount} />
              </dd>
            </>
          ) : null}
        </dl>
        {channel.muted ? (
          <p className={styles['settingHint']}>
            {muteEnd === undefined
              ? t('about.mutedForGood')
              : t('about.mutedUntil', { time: formats.listTime(muteEnd, now) })}
          </p>
        ) : null}
        {channel.frozen ? <p className={styles['settingHint']}>{t('about.frozen')}</p> : null}
      </section>
    </>
  )
}

const NO_WATCHERS = { userIds: [], of: 0 }

/** Who has the channel open, reloaded when the count changes. Without a connection only the count. */
function Watchers({ cid, count }: { readonly cid: Cid; readonly count: number }) {
  const t = useTexts('details')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const [watchers, setWatchers] = useState<{ readonly userIds: readonly UserId[]; readonly of: number }>(NO_WATCHERS)
  const names = useNames(watchers.userIds)
  useEffect(() => {
    let live = true
    const load = async (): Promise<void> => {
      const loaded = await dispatch(loadHere({ cid }))
      if (live && loaded.ok) setWatchers({ userIds: loaded.value, of: count })
    }
    void load()
    return () => {
      live = false
    }
  }, [dispatch, cid, count])
  if (names.length === 0) return formats.number(count)
  const more = watchers.of - names.length
  return <bdi>{formats.list(more > 0 ? [...names, t('about.others', { count: more })] : names)}</bdi>
}
