import { MIN_LOCATION_SHARE_MS } from '#shared/constants.ts'
import type { Point, Precision } from '#shared/domain/place.ts'

export type { Point } from '#shared/domain/place.ts'

export const PRECISIONS = ['exact', 'near', 'city'] as const satisfies readonly Precision[]

/** Degrees a location is rounded to. A hundredth of a degree of latitude is 1.1 km, a tenth 11 km. */
const GRID: Readonly<Record<Precision, number>> = { exact: 0.000_01, near: 0.01, city: 0.1 }
/** Radius in meters around the shared location in which the actual one is. */
export const RADIUS_M: Readonly<Record<Precision, number>> = { exact: 0, near: 800, city: 8_000 }

/** The longest live share. Source: the bridge's contract of `locations.share`. */
const MAX_LOCATION_SHARE_MS = 24 * 3_600_000
/** Offered lengths of a live share, in milliseconds. */
export const SHARE_PRESETS_MS = [15 * 60_000, 60 * 60_000, 8 * 3_600_000] as const

/** The location as others see it. */
export function blurred({ latitude, longitude }: Point, precision: Precision): Point {
  const grid = GRID[precision]
  const round = (degrees: number): number => Number((Math.round(degrees / grid) * grid).toFixed(5))
  return { latitude: round(latitude), longitude: round(longitude) }
}

export const isLatitude = (degrees: number): boolean => Number.isFinite(degrees) && Math.abs(degrees) <= 90
export const isLongitude = (degrees: number): boolean => Number.isFinite(degrees) && Math.abs(degrees) <= 180

/** One coordinate as typed: `49.2746`, `49,2746`, `49.2746 N`, `49°16'28.6"N`. */
export function parseDegrees(typed: string): number | undefined {
  const text = typed.trim().toUpperCase()
  const match =
    /^([NSEW])?\s*([+-−]?\d{1,3}(?:[.,]\d+)?)\s*°?(?:\s*(\d{1,2}(?:[.,]\d+)?)\s*['′’](?:\s*(\d{1,2}(?:[.,]\d+)?)\s*(?:["″”]|''))?)?\s*([NSEW])?$/.exec(
      text,
    )
  if (match === null) return undefined
  const [, before, degrees = '', minutes = '0', seconds = '0', after] = match
  if (before !== undefined && after !== undefined) return undefined
  const number = (part: string): number => Number(part.replace(',', '.').replace('−', '-'))
  if (number(minutes) >= 60 || number(seconds) >= 60) return undefined
  const value = Math.abs(number(degrees)) + number(minutes) / 60 + number(seconds) / 3_600
  const south = before === 'S' || before === 'W' || after === 'S' || after === 'W'
  return (number(degrees) < 0 || /^[NSEW]?\s*[-−]/.test(text)) !== south ? -value : value
}

/** Both coordinates in one text: a pair, with letters or signs, a `geo:` URI, or a link to a map. Latitude first. */
export function parsePoint(typed: string): Point | undefined {
  const text = typed.trim()
  const inLink =
    /^geo:(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)/i.exec(text) ??
    /^https?:\/\/\S*?(?:@|[?&#](?:q|ll|query|center|mlat)=|#map=\d+(?:\.\d+)?\/)(-?\d+(?:\.\d+)?)(?:,|%2C|\/|&mlon=)(-?\d+(?:\.\d+)?)/i.exec(
      text,
    )
  if (inLink !== null) return pointOf(Number(inLink[1]), Number(inLink[2]))
  for (const halves of halvesOf(text)) {
    const [first, second] = halves.map(parseDegrees)
    if (first === undefined || second === undefined) continue
    const swapped = /[EW]/i.test(halves[0]) || /[NS]/i.test(halves[1])
    const point = swapped ? pointOf(second, first) : pointOf(first, second)
    if (point !== undefined) return point
  }
  return undefined
}

/** Ways to split a text in two, least ambiguous first: `;`, a comma with a space, a plain comma, a space. */
function halvesOf(text: string): readonly (readonly [string, string])[] {
  const cuts = [/\s*;\s*/g, /,\s+/g, /,/g, /(?<=[NSEW\d"″”'′’])\s+(?=[NSEW+\-−\d])/gi]
  return cuts.flatMap((cut) =>
    [...text.matchAll(cut)].map(
      (match) => [text.slice(0, match.index), text.slice(match.index + match[0].length)] as const,
    ),
  )
}

function pointOf(latitude: number, longitude: number): Point | undefined {
  return isLatitude(latitude) && isLongitude(longitude) ? { latitude, longitude } : undefined
}

/** `49.27460, 19.86830`: accepted by every map. */
export const pointText = ({ latitude, longitude }: Point): string => `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`

/** Validates the duration of a live share; `tooShort` below a minute. */
export function shareProblem(ms: number | undefined): 'tooShort' | 'tooLong' | undefined {
  if (ms === undefined) return undefined
  if (!Number.isFinite(ms) || ms < MIN_LOCATION_SHARE_MS) return 'tooShort'
  return ms > MAX_LOCATION_SHARE_MS ? 'tooLong' : undefined
}

/** Rounded: the server's clock may be slightly ahead of this one. At least 1. */
export const minutesLeft = (endAt: number, now: number): number => Math.max(1, Math.round((endAt - now) / 60_000))

const EARTH_RADIUS_M = 6_371_000

/** Meters along the surface of a sphere. */
export function distanceM(a: Point, b: Point): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const [north, east] = [radians(b.latitude - a.latitude), radians(b.longitude - a.longitude)]
  const half =
    Math.sin(north / 2) ** 2 + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(east / 2) ** 2
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(half)))
}

/** Meters along a path through these points. */
export const lengthM = (points: readonly Point[]): number =>
  points.reduce((sum, point, index) => sum + (index === 0 ? 0 : distanceM(points[index - 1] ?? point, point)), 0)

/** Degrees east of a meridian, the short way round: -180 to 180. */
export const eastOf = (meridian: number, longitude: number): number =>
  ((((longitude - meridian + 180) % 360) + 360) % 360) - 180

/**
 * Degrees of latitude from top to bottom of a map around `at` that shows all of these points, with padding.
 *
 * @param ratio width by height of the map
 */
export function spanAround(at: Point, points: readonly Point[], ratio: number): number {
  const shrink = Math.max(0.1, Math.cos((at.latitude * Math.PI) / 180))
  const reaches = points.map(({ latitude, longitude }) =>
    Math.max(Math.abs(latitude - at.latitude), (Math.abs(eastOf(at.longitude, longitude)) * shrink) / ratio),
  )
  return 2.6 * Math.max(0, ...reaches)
}

/** Allowance for the duration of the request; the server counts from when it receives it. */
const SENDING_MS = 10_000
const LATENCY_MS = 2_000

/**
 * The end of a live share that is sent now. `undefined`: it was queued until less than the minimum of the promised
 * duration was left, so it is not sent. All in epoch milliseconds of the server.
 */
export function endOfShare({ until }: { readonly until: number }, now: number): number | undefined {
  if (until - now < MIN_LOCATION_SHARE_MS - SENDING_MS) return undefined
  return Math.max(until, now + MIN_LOCATION_SHARE_MS + LATENCY_MS)
}

/** A live share is active until its end; a static location never is. */
export const isLive = (location: { readonly endAt?: number }, now: number): boolean =>
  location.endAt !== undefined && location.endAt > now
