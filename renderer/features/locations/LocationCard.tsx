import { useState } from 'react'
import type { Message, MessageLocation } from '#shared/domain/message.ts'
import { isLive, minutesLeft, pointText } from '#shared/rules/locations/locations.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useLiveClock } from '../../lib/time/use-live-clock.ts'
import { useAppDispatch, useChannel, useSession } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Portrait, useName } from '../people/index.ts'
import { stopLocation } from './commands.ts'
import { MapDialog } from './MapDialog.tsx'
import { WorldMap } from './WorldMap.tsx'
import styles from './Location.module.css'

type Props = { readonly message: Message; readonly location: MessageLocation }

/** Degrees of latitude on a card: about a country, since the outline map has no streets. */
const SPAN = 5

/** A location in a message: map, sender, end time. A live one ends at its time even without an event. */
export function LocationCard({ message, location }: Props) {
  const t = useTexts('locations')
  const now = useLiveClock(location.endAt === undefined ? [] : [location.endAt])
  const there = message.status === 'received'
  const live = there && isLive(location, now)
  const mine = message.userId === useSession().userId
  const name = useName(message.userId)
  const [open, setOpen] = useState(false)
  const text = useText({ message, location, now, mine })
  return (
    <div
      className={styles['card']}
      role="group"
      aria-label={`${location.endAt === undefined ? t('card.named', { name }) : t('card.namedLive', { name })}, ${pointText(location)}`}
    >
      <div className={styles['cardMap']}>
        <WorldMap at={location} span={SPAN} ratio={440 / 144} faint={there && location.endAt !== undefined && !live}>
          <Portrait userId={message.userId} size={36} />
        </WorldMap>
      </div>
      <div className={styles['foot']}>
        <div className={styles['text']}>
          <div className={styles['first']}>
            {live ? <span className={styles['live']} aria-hidden="true" /> : null}
            {text.first}
          </div>
          <div className={styles['second']}>{text.second}</div>
        </div>
        {live && mine ? <Stop message={message} /> : null}
        <Button size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {t('card.open')}
        </Button>
      </div>
      {open ? <MapDialog message={message} location={location} onClose={() => setOpen(false)} /> : null}
    </div>
  )
}

function Stop({ message }: Pick<Props, 'message'>) {
  const t = useTexts('locations')
  const dispatch = useAppDispatch()
  const [working, setWorking] = useState(false)
  const stop = async (): Promise<void> => {
    setWorking(true)
    await dispatch(stopLocation({ messageId: message.id }))
    setWorking(false)
  }
  return (
    <span className={styles['stop']}>
      <Button size="small" working={working} onClick={() => void stop()}>
        {t('stop')}
      </Button>
    </span>
  )
}

type CardTextProps = Props & { readonly now: number; readonly mine: boolean }

function useText({ message, location, now, mine }: CardTextProps): {
  readonly first: string
  readonly second: string
} {
  const t = useTexts('locations')
  const formats = useFormats()
  const channel = useChannel(message.cid)
  const { endAt, updatedAt } = location
  if (endAt === undefined) return { first: t('card.once'), second: pointText(location) }
  if (message.status !== 'received') {
    return { first: t('card.notYet'), second: t('card.waitsUntil', { time: formats.time(endAt) }) }
  }
  if (endAt <= now) {
    return { first: t('card.ended'), second: t('card.lastSeen', { time: formats.weekdayAndTime(updatedAt || endAt) }) }
  }
  if (mine) {
    const minutes = minutesLeft(endAt, now)
    const first = minutes < 90 ? t('card.more', { count: minutes }) : t('card.until', { time: formats.time(endAt) })
    return { first, second: t('card.seen', { count: channel?.memberCount ?? 0 }) }
  }
  const updated = formats.relative(Math.min(updatedAt || message.createdAt, now), now)
  const from = { time: formats.time(endAt), when: updated, device: location.device ?? '' }
  return {
    first: t('card.live'),
    second: t(location.device === undefined ? 'card.untilUpdated' : 'card.untilFrom', from),
  }
}
