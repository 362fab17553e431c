import { useEffect, useState } from 'react'
import type { Interruptions } from '#shared/domain/notification.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { useRoving, type Roving } from '../../lib/page/roving.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector, useChannel } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { View } from '../../ui/View/View.tsx'
import { channelTitle, muteChannel, PlaceTabs } from '../sidebar/index.ts'
import { loadInterruptions } from './commands.ts'
import styles from './CatchUp.module.css'

type Props = {
  /** Below 640 px: goes back to the list. */
  readonly onBack?: () => void
}

/** How many notifications each channel raised in a week, with a button to mute it. */
export function InterruptionsView({ onBack }: Props) {
  const t = useTexts('unread')
  const common = useTexts('common')
  const [week, again] = useWeek()
  return (
    <View
      icon="bell"
      title={t('interruptions.title')}
      subtitle={t('interruptions.subtitle')}
      back={onBack === undefined ? undefined : { label: common('back'), onPress: onBack }}
      banner={<PlaceTabs of="catch-up" />}
    >
      <div className={styles['column']}>
        {week === undefined ? null : week === 'failed' ? (
          <Empty
            scene="lines"
            title={t('interruptions.failed')}
            action={<Button onClick={again}>{t('reach.again')}</Button>}
          />
        ) : week.channels.length === 0 ? (
          <Empty scene="done" title={t('interruptions.none')}>
            {t('interruptions.noneText')}
          </Empty>
        ) : (
          <Week week={week} />
        )}
      </div>
    </View>
  )
}

function useWeek(): readonly [Interruptions | 'failed' | undefined, () => void] {
  const dispatch = useAppDispatch()
  const [week, setWeek] = useState<Interruptions | 'failed'>()
  const [round, setRound] = useState(0)
  const minute = useMinute()
  // Counted on while it is open.
  const turn = `${minute} ${round}`
  useEffect(() => {
    if (turn === '') return undefined
    let live = true
    const ask = async (): Promise<void> => {
      const answer = await dispatch(loadInterruptions(undefined))
      if (live) setWeek(answer.ok ? answer.value : 'failed')
    }
    void ask()
    return () => {
      live = false
    }
  }, [dispatch, turn])
  return [week, () => setRound((before) => before + 1)]
}

function Week({ week: { from, channels } }: { readonly week: Interruptions }) {
  const t = useTexts('unread')
  const { date } = useFormats()
  const now = useMinute()
  const known = useAppSelector(({ entities }) => entities.channels)
  // A channel that was left has no button.
  const roving = useRoving({ ids: channels.flatMap(({ cid }) => (known[cid] === undefined ? [] : [cid])) })
  const { ref, ...listeners } = roving.containerProps
  const total = channels.reduce((sum, { count }) => sum + count, 0)
  const most = channels[0]?.count ?? 1
  return (
    <section className={styles['since']} aria-labelledby="interruptions-week">
      <h2 id="interruptions-week" className={styles['weekTitle']}>
        {t('interruptions.week', { from: date(from, now), to: date(now, now) })}
      </h2>
      <p className={styles['weekTotal']}>{t('interruptions.total', { count: total })}</p>
      <ul
        ref={(element) => {
          ref.current = element
        }}
        {...listeners}
      >
        {channels.map(({ cid, count }) => (
          <ChannelRow key={cid} cid={cid} count={count} most={most} item={roving.itemProps(cid)} />
        ))}
      </ul>
    </section>
  )
}

type RowProps = {
  readonly cid: Cid
  readonly count: number
  readonly most: number
  readonly item: ReturnType<Roving['itemProps']>
}

function ChannelRow({ cid, count, most, item }: RowProps) {
  const t = useTexts('unread')
  const dispatch = useAppDispatch()
  const { number } = useFormats()
  const channel = useChannel(cid)
  const name = useAppSelector((state) => channelTitle(state, cid))
  const isDirect = (channel?.directUserIds.length ?? 0) > 0
  const isMuted = channel?.muted === true
  const set = async (muted: boolean): Promise<void> => {
    const done = await dispatch(muteChannel({ cid, muted }))
    if (done.ok) announce(t(muted ? 'interruptions.saidMuted' : 'interruptions.saidUnmuted', { name }))
  }
  return (
    <li className={styles['interruption']}>
      <Icon name={isDirect ? 'user' : channel?.isPrivate === true ? 'lock' : 'hash'} size={18} />
      <span className="ellipsis">
        <bdi>{channel === undefined ? t('interruptions.left') : name}</bdi>
      </span>
      <span className={styles['meter']} aria-hidden="true">
        <i style={{ width: `${Math.max(2, (count / most) * 100)}%` }} />
      </span>
      <span className={styles['times']}>
        <span aria-hidden="true">{number(count)}</span>
        <span className="sr-only">{t('interruptions.count', { count })}</span>
      </span>
      {/* One button for both, so that the focus stays. */}
      <span className={styles['mute']}>
        {isMuted ? <span>{t('interruptions.muted')}</span> : null}
        {channel === undefined ? null : (
          <Button
            size="small"
            variant={isMuted ? 'link' : undefined}
            aria-label={t(isMuted ? 'interruptions.undoOf' : 'interruptions.muteOf', { name })}
            {...item}
            onClick={() => void set(!isMuted)}
          >
            {t(isMuted ? 'interruptions.undo' : 'interruptions.mute')}
          </Button>
        )}
      </span>
    </li>
  )
}
