import { memo, type CSSProperties } from 'react'
import type { MemberEntry } from '#shared/domain/channel-details.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useMinute } from '../../../lib/time/use-minute.ts'
import { useMe, useUser } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Tag } from '../../../ui/Mark/Tag.tsx'
import { Portrait, presenceOf } from '../../people/index.ts'
import styles from '../Info.module.css'

type Props = {
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
export const MemberRow = memo(function MemberRow(props: Props) {
  const { entry, isOwner, rovingProps, style, place, onOpen, onMenu, onWithdraw } = props
  const t = useTexts('details')
  const common = useTexts('common')
  const user = useUser(entry.userId)
  const isMe = useMe()?.id === entry.userId
  const name = cleanName(user?.name ?? entry.userId)
  return (
    <li className={styles['memberRow']} style={style} aria-posinset={place.at} aria-setsize={place.of}>
      <button
        type="button"
        className={styles['person']}
        {...rovingProps}
        onClick={() => onOpen(entry.userId)}
        onContextMenu={(event) => {
          event.preventDefault()
          onMenu(entry, event.currentTarget)
        }}
      >
        <Portrait userId={entry.userId} size={32} presence={user === undefined ? undefined : presenceOf(user)} />
        <span className={styles['text']}>
          <span className={styles['first']}>
            <bdi className="ellipsis">{name}</bdi>
            {isMe ? <span className={styles['you']}>{common('you')}</span> : null}
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
        <span className={styles['noActions']} />
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
  if (entry.invited) return <span className={styles['second']}>{t('members.waiting')}</span>
  const presence = user?.online === true ? channel('online') : channel('offline')
  return (
    <span className={styles['second']}>
      <span className="ellipsis">{user?.statusText ?? presence}</span>
      {entry.lastReadAt === undefined ? null : (
        <span className={styles['readAt']}>{t('members.read', { time: formats.listTime(entry.lastReadAt, now) })}</span>
      )}
    </span>
  )
}
