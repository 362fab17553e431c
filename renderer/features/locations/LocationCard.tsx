import { useState, useId, useEffect } from 'react'
import type { Message, MessageLocation } from '#shared/domain/message.ts'
import {
  isLive,
  minutesLeft,
  pointText,
  distanceM,
  lengthM,
  spanAround,
  type Point,
} from '#shared/rules/locations/locations.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useLiveClock } from '../../lib/time/clocks.ts'
import { useAppDispatch, useChannel, useSession, useSettings, useEngine } from '../../store/hooks.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import { Portrait, useName } from '../people/index.ts'
import { stopLocation, setTracksEnabled, readPosition, type NoPosition, type Position } from './commands.ts'
import { WorldMap } from './WorldMap.tsx'
import styles from './Location.module.css'
import type { TrackPoint } from '#shared/domain/place.ts'
import { announce } from '../../lib/page/announce.ts'
import { Dialog } from '../../ui/Dialog/Dialog.tsx'
import { Switch } from '../../ui/Choice/Switch.tsx'
import { MAX_SPAN } from './use-place-form.ts'

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
  const updated = formats.ago(updatedAt || message.createdAt, now)
  const from = { time: formats.time(endAt), when: updated, device: location.device ?? '' }
  return {
    first: t('card.live'),
    second: t(location.device === undefined ? 'card.untilUpdated' : 'card.untilFrom', from),
  }
}

type MapDialogProps = { readonly message: Message; readonly location: MessageLocation; readonly onClose: () => void }

const RATIO = 676 / 380
/** Degrees from top to bottom: a country at first; the least that the outline can show; a few streets with a track. */
const DIALOG_SPAN = { first: 10, least: 0.4, leastOfTrack: 0.005 } as const

/** A large map of the location, with its coordinates to copy and the track of a live one. */
function MapDialog({ message, location, onClose }: MapDialogProps) {
  const t = useTexts('locations')
  const name = useName(message.userId)
  const now = useLiveClock(location.endAt === undefined ? [] : [location.endAt])
  const live = message.status === 'received' && isLive(location, now)
  const track = useTrack(message, location, live)
  const [chosen, setSpan] = useState<number>()
  const least = track.length > 1 ? DIALOG_SPAN.leastOfTrack : DIALOG_SPAN.least
  const span = chosen ?? (track.length > 1 ? Math.max(least, spanAround(location, track, RATIO)) : DIALOG_SPAN.first)
  const distance = useDistance(location)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(pointText(location))
      announce(t('card.copied'))
    } catch (reason) {
      announce(t('card.notCopied'))
      console.warn('coordinates not copied', reason)
    }
  }
  return (
    <Dialog
      title={t('card.named', { name })}
      width={720}
      onClose={onClose}
      hint={
        <span className={styles['coordinates']} aria-live="polite">
          {pointText(location)}
          {distance.text === undefined ? null : <span className={styles['away']}>{distance.text}</span>}
        </span>
      }
      actions={
        <>
          <Button icon="navigation" working={distance.asking} onClick={() => void distance.ask()}>
            {t('card.distance')}
          </Button>
          <Button icon="copy" onClick={() => void copy()}>
            {t('card.copy')}
          </Button>
        </>
      }
    >
      <div className={styles['large']}>
        <WorldMap at={location} span={span} ratio={RATIO} track={track} tools={2}>
          <Portrait userId={message.userId} size={36} />
        </WorldMap>
        <div className={styles['tools']}>
          <IconButton icon="plus" label={t('closer')} onClick={() => setSpan(Math.max(least, span / 2))} />
          <IconButton icon="minus" label={t('farther')} onClick={() => setSpan(Math.min(MAX_SPAN, span * 2))} />
        </div>
      </div>
      {live ? <TrackSwitch track={track} /> : null}
    </Dialog>
  )
}

/** The switch that turns tracks on, and the length of the track. */
function TrackSwitch({ track }: { readonly track: readonly TrackPoint[] }) {
  const t = useTexts('locations')
  const formats = useFormats()
  const distanceText = useDistanceText()
  const dispatch = useAppDispatch()
  const on = useSettings().locationTracks
  const [label, hint] = [useId(), useId()]
  const first = track[0]
  const known =
    first === undefined || track.length < 2
      ? t('track.nothing')
      : t('track.known', { far: distanceText(lengthM(track)), time: formats.weekdayAndTime(first.at) })
  return (
    <div className={styles['track']}>
      <div>
        <div id={label} className={styles['label']}>
          {t('track.show')}
        </div>
        <div id={hint} className={styles['hint']}>
          {on ? known : t('track.hint')}
        </div>
      </div>
      <Switch
        labelledBy={label}
        describedBy={hint}
        on={on}
        onChange={(locationTracks) => void dispatch(setTracksEnabled(locationTracks))}
      />
    </div>
  )
}

/** Formats a distance, rounded to a useful precision. */
function useDistanceText(): (metres: number) => string {
  const t = useTexts('locations')
  const { number } = useFormats()
  return (metres) =>
    metres < 1_000
      ? t('far.metres', { far: number(Math.round(metres / 10) * 10) })
      : t('far.kilometres', {
          far: number(metres < 10_000 ? Math.round(metres / 100) / 10 : Math.round(metres / 1_000)),
        })
}

/** The distance from the device's position, which is read only on click and never sent. */
function useDistance(to: Point) {
  const t = useTexts('locations')
  const distanceText = useDistanceText()
  const [asking, setAsking] = useState(false)
  const [from, setFrom] = useState<Position | NoPosition>()
  const metres = from === undefined || typeof from === 'string' ? undefined : distanceM(from, to)
  return {
    asking,
    text:
      typeof from === 'string'
        ? t(`noDistance.${from}`)
        : metres === undefined
          ? undefined
          : t('away', { far: distanceText(metres) }),
    ask: async (): Promise<void> => {
      if (asking) return
      setAsking(true)
      setFrom(await readPosition())
      setAsking(false)
    },
  }
}

const NONE: readonly TrackPoint[] = []

/** The track of a live location as recorded on this device; loaded again when the location moves. */
function useTrack({ id }: Pick<Message, 'id'>, { updatedAt }: MessageLocation, live: boolean) {
  const engine = useEngine()
  const wanted = useSettings().locationTracks && live
  // `at`: the update that the points were loaded for.
  const [track, setTrack] = useState({ points: NONE, at: 0 })
  useEffect(() => {
    if (!wanted) return undefined
    let here = true
    engine.locations.track({ messageId: id }).then(
      (points) => here && setTrack({ points, at: updatedAt }),
      (reason: unknown) => console.warn('the track was not read', reason),
    )
    return () => {
      here = false
    }
  }, [engine, id, updatedAt, wanted])
  return wanted ? track.points : NONE
}
