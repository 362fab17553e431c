import type { Cid } from '#shared/lib/brand.ts'
import { isTraceless } from '#shared/rules/channels/unread.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useBreakpoint } from '../../lib/page/environment.ts'
import {
  useAppDispatch,
  useAppSelector,
  type SettledChannel,
  useSettledChannel,
  useSession,
  useSetting,
  useUser,
} from '../../store/hooks.ts'
import { useShortcut } from '../../store/window/shortcuts.ts'
import { panelClosed, panelOpened, searchOpened } from '../../store/window/ui.ts'
import type { Panel } from '../../store/window/kinds.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { Skeleton } from '../../ui/View/Waiting.tsx'
import { Tooltip } from '../../ui/Popover/Tooltip.tsx'
import { useMenuOf } from '../../ui/Menu/Menu.tsx'
import { ChannelMenu, channelTitle } from '../sidebar/index.ts'
import { Faces, Portrait, presenceOf } from '../people/index.ts'
import styles from './Channel.module.css'

type Props = {
  readonly cid: Cid
  readonly onBack?: () => void
  /** Shown in the second half of a split window. */
  readonly beside?: boolean
}

/** Name and topic, with buttons for members, pinned messages, search, details and the menu. */
export function ChannelHeader({ cid, onBack, beside = false }: Props) {
  const common = useTexts('common')
  return (
    <header className={styles['head']} data-region={beside ? undefined : 'header'}>
      {onBack === undefined ? null : <IconButton icon="arrow-left" label={common('back')} onClick={onBack} />}
      <div className={styles['names']}>
        <Title cid={cid} beside={beside} />
        <Topic cid={cid} />
      </div>
      <Actions cid={cid} beside={beside} />
    </header>
  )
}

type PartProps = { readonly cid: Cid; readonly beside: boolean }

function Title({ cid, beside }: PartProps) {
  const channel = useSettledChannel(cid)
  const title = useAppSelector((state) => channelTitle(state, cid))
  const other = useUser(channel?.directUserId)
  const details = useTexts('details')
  const session = useSession()
  const traceless = useSetting('traceless')
  const Heading = beside ? 'h2' : 'h1'
  return (
    <Heading className={styles['title']} tabIndex={-1}>
      {other !== undefined ? (
        <Portrait userId={other.id} size={24} presence={presenceOf(other)} />
      ) : (
        <Icon
          name={(channel?.directUserIds.length ?? 0) > 0 ? 'users' : channel?.isPrivate === true ? 'lock' : 'hash'}
          size={19}
        />
      )}
      <span className="ellipsis">{title}</span>
      {channel?.frozen === true ? <Icon name="snow" size={16} /> : null}
      {isTraceless(traceless, session, cid) ? (
        <span role="img" aria-label={details('traceless.title')} title={details('traceless.title')}>
          <Icon name="eye-off" size={16} />
        </span>
      ) : null}
    </Heading>
  )
}

function Topic({ cid }: { readonly cid: Cid }) {
  const channel = useSettledChannel(cid)
  const other = useUser(channel?.directUserId)
  const t = useTexts('channel')
  const memberSummary = useMemberSummary(channel)
  const isNarrow = useBreakpoint() === 'narrow'
  if (channel === undefined) return <Skeleton width={240} />
  const isGroup = other === undefined
  const text = channel.notes
    ? t('notesTopic')
    : isGroup
      ? isNarrow
        ? memberSummary
        : channel.topic
      : (other.statusText ?? (other.online ? t(other.away === true ? 'away' : 'online') : undefined))
  if (text === undefined || text === '') return <span className={styles['noTopic']} />
  return (
    <span className={`${styles['topic']} ellipsis`} dir="auto">
      {text}
    </span>
  )
}

/** Number of members, and how many have the channel open now. */
function useMemberSummary(channel: SettledChannel | undefined): string {
  const t = useTexts('channel')
  const formats = useFormats()
  if (channel === undefined) return ''
  const { memberCount, watcherCount } = channel
  const members = t('members.count', { count: memberCount })
  return watcherCount === 0 ? members : t('members.company', { members, online: formats.number(watcherCount) })
}

function Actions({ cid, beside }: PartProps) {
  const t = useTexts('channel')
  const dispatch = useAppDispatch()
  const channel = useSettledChannel(cid)
  const details = useTexts('details')
  const detailKeys = useShortcut('details')
  const searchKeys = useShortcut('searchHere')
  const windows = useTexts('windows')
  const closeKeys = useShortcut('closePanel')
  const panel = useAppSelector(({ ui }) =>
    ui.panel !== undefined && 'cid' in ui.panel && ui.panel.cid === cid ? ui.panel.kind : undefined,
  )
  const menu = useMenuOf((anchor, onClose) => (
    <ChannelMenu cid={cid} label={t('actions')} anchor={anchor} onClose={onClose} />
  ))
  if (channel === undefined) return null
  const toggle = (kind: 'members' | 'pinned' | 'info'): void => {
    const target: Panel = { kind, cid }
    dispatch(panel === kind ? panelClosed() : panelOpened(target))
  }
  return (
    <div className={styles['actions']}>
      {channel.directUserIds.length > 0 ? null : (
        <Tooltip text={t('members.tooltip')}>
          <button
            type="button"
            className={styles['members']}
            aria-label={t('members.count', { count: channel.memberCount })}
            aria-pressed={panel === 'members'}
            onClick={() => toggle('members')}
          >
            {channel.faceIds.length === 0 ? (
              <Icon name="users" size={17} />
            ) : (
              <Faces userIds={channel.faceIds} size={20} />
            )}
            <span aria-hidden="true">{channel.memberCount}</span>
          </button>
        </Tooltip>
      )}
      {channel.pinnedMessageCount === 0 ? null : (
        <Tooltip text={t('pinned.tooltip')}>
          <button
            type="button"
            className={styles['count']}
            aria-label={t('pinned.count', { count: channel.pinnedMessageCount })}
            aria-pressed={panel === 'pinned'}
            onClick={() => toggle('pinned')}
          >
            <Icon name="pin" size={16} />
            <span aria-hidden="true">{channel.pinnedMessageCount}</span>
          </button>
        </Tooltip>
      )}
      <IconButton
        icon="search"
        label={details('acts.search')}
        keys={searchKeys}
        onClick={() => dispatch(searchOpened({ cid }))}
      />
      <IconButton
        icon="info"
        label={details('open')}
        keys={detailKeys}
        pressed={panel === 'info'}
        onClick={() => toggle('info')}
      />
      <IconButton icon="more" label={t('actions')} {...menu.triggerProps} />
      {beside ? (
        <IconButton icon="x" label={windows('half.close')} keys={closeKeys} onClick={() => dispatch(panelClosed())} />
      ) : null}
      {menu.menu}
    </div>
  )
}
