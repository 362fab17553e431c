import { isBlank } from '#shared/lib/clean-text.ts'
import { useEffect, useRef, useState } from 'react'
import { MIN_LOCATION_SHARE_MS } from '#shared/constants.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { SentPlace } from '#shared/domain/intent.ts'
import {
  type Point,
  type Precision,
  MAX_SAVED_PLACES,
  type PlaceMemory,
  type SavedPlace,
} from '#shared/domain/place.ts'
import type { Cid } from '#shared/lib/brand.ts'
import {
  blurred,
  isLatitude,
  isLongitude,
  parseDegrees,
  parsePoint,
  SHARE_PRESETS_MS,
  shareProblem,
} from '#shared/rules/locations/locations.ts'
import { useAppDispatch, useConnection, useSetting } from '../../store/hooks.ts'
import { JUST_SENT } from '../../store/command.ts'
import { shareLocation, readPosition, type NoPosition } from './commands.ts'
import { updateSettings } from '../settings/index.ts'

/** How long to share: once, one of the presets, or a typed number of minutes. */
export type Length = 'once' | 'custom' | `${number}`

/** Degrees of latitude on the map, from the whole earth to a town. */
export const MAX_SPAN = 120
const MIN_SPAN = 0.4
/** Before the first use: Europe. */
const FIRST = { latitude: 50, longitude: 15, span: 40 }

/** An unsent location that was withdrawn to be edited. */
export type TakenPlace = { readonly id: string; readonly place: SentPlace }

export type PlaceForm = ReturnType<typeof usePlaceForm>

/** State and actions of the dialog. The input is preserved if sharing fails. */
export function usePlaceForm(cid: Cid, from: TakenPlace | undefined) {
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const remembered = useSetting('places')
  const [failure, setFailure] = useState<ErrorBody>()
  const { problems: pinProblems, ...pinned } = usePin(from, () => setFailure(undefined))
  const [precision, setPrecision] = useState<Precision>(from?.place.precision ?? 'exact')
  const [length, setLength] = useState(() => lengthOf(from?.place.live?.forMs))
  const [minutes, setMinutes] = useState(() => String((from?.place.live?.forMs ?? HALF_HOUR_MS) / 60_000))
  const [device, setDevice] = useState(() => from?.place.device ?? remembered.device)
  const [working, setWorking] = useState(false)
  const { pin, span, chosen } = pinned

  useRemembered({ ...pin, span }, chosen, device.trim())
  const forMs = lengthMs(length, minutes)
  const problems = { ...pinProblems, length: shareProblem(forMs) }
  const valid = !problems.latitude && !problems.longitude && problems.length === undefined
  return {
    ...pinned,
    precision,
    length,
    minutes,
    forMs,
    working,
    offline,
    failure,
    problems,
    canShare: valid && chosen,
    setPrecision,
    setLength,
    setMinutes,
    device,
    setDevice,
    submit: async (): Promise<boolean> => {
      if (!valid || !chosen || working) return false
      setWorking(true)
      const length = forMs === undefined ? {} : { forMs }
      const named = forMs === undefined || isBlank(device) ? {} : { device: device.trim() }
      const instead = from === undefined ? {} : { replaces: from.id }
      const again = failure?.code === JUST_SENT ? { again: true } : {}
      const shared = await dispatch(
        shareLocation({ cid, ...blurred(pin, precision), precision, ...length, ...named, ...instead, ...again }),
      )
      setWorking(false)
      if (!shared.ok) setFailure(shared.error)
      return shared.ok
    },
  }
}

/** The pin on the map: moved on it, typed as coordinates or found by the device. */
function usePin(from: TakenPlace | undefined, onMoved: () => void) {
  const { last } = useSetting('places')
  const [start] = useState(() => ({ ...(last ?? FIRST), ...from?.place }))
  const [pin, setPin] = useState<Point>(start)
  const [span, setSpan] = useState(start.span)
  /** The initial place is not sent unless it was chosen. */
  const [chosen, setChosen] = useState(() => from !== undefined || last !== undefined)
  const [typed, setTyped] = useState({ latitude: fixed(start.latitude), longitude: fixed(start.longitude) })
  const [accuracy, setAccuracy] = useState<number>()
  const [noPosition, setNoPosition] = useState<NoPosition>()
  const [asking, setAsking] = useState(false)

  const moveTo = (to: Point, how: { accuracy?: number; span?: number } = {}): void => {
    setPin(to)
    setChosen(true)
    setTyped({ latitude: fixed(to.latitude), longitude: fixed(to.longitude) })
    setAccuracy(how.accuracy)
    setNoPosition(undefined)
    onMoved()
    setSpan(how.span ?? span)
  }
  const type = (axis: 'latitude' | 'longitude', text: string): void => {
    const both = parsePoint(text)
    if (both !== undefined) return moveTo(both, { span: Math.min(span, 4) })
    const next = { ...typed, [axis]: text }
    setTyped(next)
    setAccuracy(undefined)
    const point = pointOf(next)
    if (point === undefined) return
    setPin(point)
    setChosen(true)
  }
  const zoom = (by: 1 | -1): void => {
    setSpan(Math.min(MAX_SPAN, Math.max(MIN_SPAN, by > 0 ? span / 2 : span * 2)))
  }
  const locate = async (): Promise<void> => {
    if (asking) return
    setAsking(true)
    const found = await readPosition()
    setAsking(false)
    if (typeof found === 'string') setNoPosition(found)
    else moveTo(found, { accuracy: found.accuracy, span: Math.min(span, 2) })
  }
  const latitude = parseDegrees(typed.latitude)
  const longitude = parseDegrees(typed.longitude)
  const problems = {
    latitude: latitude === undefined || !isLatitude(latitude),
    longitude: longitude === undefined || !isLongitude(longitude),
  }
  return { pin, span, chosen, typed, accuracy, noPosition, asking, problems, moveTo, type, zoom, locate }
}

/** Saves the last pin and the device name when the form is closed in any way. */
function useRemembered(last: Point & { readonly span: number }, chosen: boolean, device: string): void {
  const remember = useRemember()
  const before = useSetting('places')
  const latest = useRef(() => {})
  useEffect(() => {
    const changed =
      JSON.stringify([chosen ? last : before.last, device]) !== JSON.stringify([before.last, before.device])
    latest.current = () => {
      if (changed) remember({ ...(chosen ? { last } : {}), device })
    }
  })
  useEffect(() => {
    const now = (): void => latest.current()
    window.addEventListener('pagehide', now)
    return () => {
      now()
      window.removeEventListener('pagehide', now)
    }
  }, [])
}

const HALF_HOUR_MS = 30 * 60_000

function lengthOf(forMs: number | undefined): Length {
  if (forMs === undefined) return 'once'
  return SHARE_PRESETS_MS.some((each) => each === forMs) ? `${forMs}` : 'custom'
}

const fixed = (degrees: number): string => String(Number(degrees.toFixed(5)))

function pointOf(typed: { readonly latitude: string; readonly longitude: string }): Point | undefined {
  const [latitude, longitude] = [parseDegrees(typed.latitude), parseDegrees(typed.longitude)]
  if (latitude === undefined || longitude === undefined) return undefined
  return isLatitude(latitude) && isLongitude(longitude) ? { latitude, longitude } : undefined
}

/** Milliseconds of a live share; `undefined` for once; 0, which is too short, for invalid input. */
function lengthMs(length: Length, minutes: string): number | undefined {
  if (length === 'once') return undefined
  if (length !== 'custom') return Number(length)
  const number = Number(minutes.trim().replace(',', '.'))
  return Number.isFinite(number) && minutes.trim() !== '' ? Math.round(number * MIN_LOCATION_SHARE_MS) : 0
}

/** The viewer's named places, and functions to change them. Stored on this device with the settings. */
export function useSavedPlaces(): {
  readonly places: readonly SavedPlace[]
  /** Replaces a place of the same name. */
  readonly save: (place: SavedPlace) => void
  readonly forget: (name: string) => void
} {
  const remember = useRemember()
  const { saved } = useSetting('places')
  const without = (name: string): readonly SavedPlace[] => saved.filter((place) => place.name !== name)
  return {
    places: saved,
    save: (place) => remember({ saved: [place, ...without(place.name)].slice(0, MAX_SAVED_PLACES) }),
    forget: (name) => remember({ saved: without(name) }),
  }
}

/** Updates the stored places. */
function useRemember(): (change: Partial<PlaceMemory>) => void {
  const dispatch = useAppDispatch()
  const places = useSetting('places')
  return (change) => void dispatch(updateSettings({ places: { ...places, ...change } }))
}
