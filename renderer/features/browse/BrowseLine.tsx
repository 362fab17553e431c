import { memo, useState, type CSSProperties } from 'react'
import { may } from '#shared/rules/channels/capabilities.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppDispatch, useConnection } from '../../store/hooks.ts'
import { dialogOpened, routeOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Tag } from '../../ui/Mark/Tag.tsx'
import { archiveChannel } from '../sidebar/index.ts'
import { joinChannel, unhideChannel } from './commands.ts'
import type { Line, Show } from './merge.ts'
import styles from './Browse.module.css'

type Props = {
  readonly line: Line
  readonly show: Show
  readonly rovingProps: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly style: CSSProperties
  readonly place: { readonly at: number; readonly of: number }
}

/** One channel: topic, members, last activity, and a button to join or leave. A click opens it. */
export const BrowseLine = memo(function BrowseLine({ line, show, rovingProps, style, place }: Props) {
  const t = useTexts('browse')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const now = useMinute()
  const { cid, name, channel, joined } = line
  const isPrivate = channel?.isPrivate === true
  return (
    <li
      className={styles['line']}
      style={style}
      aria-posinset={place.at}
      aria-setsize={place.of}
      data-browse-line={cid}
    >
      <button
        type="button"
        className={styles['open']}
        {...rovingProps}
        onClick={() => dispatch(routeOpened({ view: 'channel', cid }))}
      >
        <Icon name={isPrivate ? 'lock' : (channel?.directUserIds.length ?? 0) > 0 ? 'user' : 'hash'} size={18} />
        <span className={styles['text']}>
          <span className={styles['first']}>
            <bdi className="ellipsis">{name}</bdi>
            {isPrivate ? <span className="sr-only">{t('private')}</span> : null}
            {joined && show === 'all' ? <Tag tone="accent">{t('joined')}</Tag> : null}
            {channel?.muted === true ? (
              <>
                <Icon name="bell-off" size={14} />
                <span className="sr-only">{t('muted')}</span>
              </>
            ) : null}
          </span>
          <span className={styles['second']}>
            <span>{t('members', { count: line.memberCount })}</span>
            {line.lastMessageAt === undefined ? null : (
              <span>{t('active', { when: formats.relative(line.lastMessageAt, now) })}</span>
            )}
            {line.topic === undefined ? null : (
              <bdi className="ellipsis" dir="auto">
                {line.topic}
              </bdi>
            )}
          </span>
        </span>
      </button>
      <Act line={line} show={show} />
    </li>
  )
})

/** The button to join, leave, unarchive or unhide. */
function Act({ line, show }: Pick<Props, 'line' | 'show'>) {
  const t = useTexts('browse')
  const details = useTexts('details')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [working, setWorking] = useState(false)
  const { cid, name, channel, joined } = line
  const run = async (work: Promise<unknown>): Promise<void> => {
    setWorking(true)
    await work
    setWorking(false)
  }
  const direct = (channel?.directUserIds.length ?? 0) > 0
  const mayLeave = channel === undefined || may(channel, 'leave-channel')
  const why = offline ? details('why.offline') : undefined
  const props = { size: 'small', working, title: why, 'aria-disabled': why !== undefined } as const
  if (show === 'hidden') {
    return (
      <Button
        {...props}
        aria-label={t('unhideOf', { name })}
        onClick={() => why ?? void run(dispatch(unhideChannel({ cid })))}
      >
        {t('unhide')}
      </Button>
    )
  }
  if (show === 'archived') {
    return (
      <Button
        {...props}
        aria-label={t('unarchiveOf', { name })}
        onClick={() => why ?? void run(dispatch(archiveChannel({ cid, archived: false })))}
      >
        {t('unarchive')}
      </Button>
    )
  }
  if (!joined) {
    return (
      <Button
        {...props}
        variant="secondary"
        aria-label={t('joinOf', { name })}
        onClick={() => why ?? void run(dispatch(joinChannel({ cid })))}
      >
        {t('join')}
      </Button>
    )
  }
  if (direct) return null
  if (!mayLeave) return <span className={styles['why']}>{t('why.permission')}</span>
  return (
    <Button
      {...props}
      variant="quiet"
      aria-label={t('leaveOf', { name })}
      onClick={() => why ?? dispatch(dialogOpened({ kind: 'channel', what: 'leave', cid }))}
    >
      {t('leave')}
    </Button>
  )
}
