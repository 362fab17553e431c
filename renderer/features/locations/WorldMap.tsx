import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type WheelEvent,
} from 'react'
import { eastOf, isLatitude, type Point } from '#shared/rules/locations/locations.ts'
import { useLanguage } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { loadCode } from '../../lib/page/part.tsx'
import styles from './Map.module.css'

type Props = {
  /** The center of the map, under the pin. */
  readonly at: Point
  /** Degrees of latitude from top to bottom. */
  readonly span: number
  /** Width divided by height of the container. */
  readonly ratio: number
  /** Gray, for a live location that has ended. */
  readonly faint?: boolean
  /** Previous positions of the pin, oldest first. */
  readonly track?: readonly Point[]
  /** Radius of accuracy around the pin, in meters. */
  readonly accuracyM?: number
  /** Makes the pin movable: by click, by dragging the map, by arrow keys. Needs `label` and `describedBy`. */
  readonly onMove?: (to: Point) => void
  readonly onZoom?: (by: 1 | -1) => void
  readonly label?: string
  readonly describedBy?: string
  /** How many buttons the container shows over the lower right corner: names keep clear of them. */
  readonly tools?: number
  /** The pin. */
  readonly children?: ReactNode
}

const METRES_PER_DEGREE = 111_320
/** An arrow key moves by this fraction of the height, with Shift by a tenth of that. */
const STEP = 1 / 10

/** An outline map of the world around a place, from bundled data: no map server is used. */
export function WorldMap(props: Props) {
  const { onMove, label, describedBy } = props
  const moving = usePinMoving(props)
  const picture = <Picture {...props} />
  if (onMove === undefined) return <div className={styles['map']}>{picture}</div>
  return (
    <div
      role="application"
      tabIndex={0}
      aria-label={label}
      aria-describedby={describedBy}
      className={cx(styles['map'], styles['movable'])}
      {...moving}
    >
      {picture}
    </div>
  )
}

/** Degrees of longitude are this much shorter than degrees of latitude. */
const shrinkAt = ({ latitude }: Point): number => Math.max(0.1, Math.cos((latitude * Math.PI) / 180))

/** The lines, the track and the accuracy around the pin. */
function Picture({ at, span, ratio, faint, track = [], accuracyM = 0, tools, children }: Props) {
  const world = useMapPart(loadWorld)
  const shrink = shrinkAt(at)
  const box = { x: at.longitude * shrink - (span * ratio) / 2, y: -at.latitude - span / 2 }
  const land = useMemo(() => linesIn(world, at, span * ratio, shrink), [world, at, span, ratio, shrink])
  const unit = world?.unitsPerDegree ?? 1
  return (
    <>
      <svg
        className={cx(styles['world'], faint && styles['faint'])}
        viewBox={`${box.x} ${box.y} ${span * ratio} ${span}`}
        preserveAspectRatio="xMidYMid slice"
        aria-hidden="true"
        focusable="false"
      >
        <g transform={`scale(${shrink / unit} ${1 / unit})`}>
          <path className={styles['land']} d={land.land} />
          <path className={styles['borders']} d={land.borders} />
        </g>
        {track.length < 2 ? null : (
          <polyline
            className={styles['track']}
            points={track
              .map(({ latitude, longitude }) => {
                const east = at.longitude + eastOf(at.longitude, longitude)
                return `${east * shrink},${-latitude}`
              })
              .join(' ')}
          />
        )}
        {accuracyM === 0 ? null : (
          <circle
            className={styles['accuracy']}
            cx={at.longitude * shrink}
            cy={-at.latitude}
            r={accuracyM / METRES_PER_DEGREE}
          />
        )}
      </svg>
      <Towns at={at} span={span} ratio={ratio} faint={faint} tools={tools} />
      <span className={styles['pin']}>{children}</span>
    </>
  )
}

/** Moves the pin by click, by dragging the map and by arrow keys; the wheel, plus and minus zoom. */
function usePinMoving({ at, span, ratio, onMove, onZoom }: Props) {
  const shrink = shrinkAt(at)
  const [drag, setDrag] = useState<{ x: number; y: number; from: Point; moved: boolean }>()
  const moved = (east: number, south: number, from = at): void => {
    const latitude = Math.max(-85, Math.min(85, from.latitude - south))
    if (isLatitude(latitude)) onMove?.({ latitude, longitude: wrapped(from.longitude + east / shrink) })
  }
  /** Degrees of latitude per pixel of the element. */
  const perPixel = (element: Element): number => {
    const { width, height } = element.getBoundingClientRect()
    return span / Math.max(1, height, width / ratio)
  }
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ x: event.clientX, y: event.clientY, from: at, moved: false })
  }
  const onPointerMove = (event: PointerEvent): void => {
    if (drag === undefined) return
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y]
    if (!drag.moved && Math.hypot(x, y) < 4) return
    if (!drag.moved) setDrag({ ...drag, moved: true })
    const degree = perPixel(event.currentTarget)
    moved(-x * degree, -y * degree, drag.from)
  }
  const onPointerUp = (event: PointerEvent): void => {
    if (drag !== undefined && !drag.moved) {
      const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
      const degree = perPixel(event.currentTarget)
      moved((event.clientX - left - width / 2) * degree, (event.clientY - top - height / 2) * degree)
    }
    setDrag(undefined)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = span * STEP * (event.shiftKey ? STEP : 1)
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
    if (direction !== undefined) moved((direction[0] ?? 0) * step, (direction[1] ?? 0) * step)
    else if (event.key === '+' || event.key === '=') onZoom?.(1)
    else if (event.key === '-') onZoom?.(-1)
    else return
    event.preventDefault()
  }
  return {
    onPointerDown,
    onPointerMove,
    onPointerUp,
    onPointerCancel: () => setDrag(undefined),
    onWheel: (event: WheelEvent) => onZoom?.(event.deltaY < 0 ? 1 : -1),
    onKeyDown,
  }
}

const wrapped = (longitude: number): number => eastOf(0, longitude)

/** The lines around a place, for an area larger than the view, so that its edge is never visible. */
function linesIn(world: World | undefined, { latitude, longitude }: Point, width: number, shrink: number) {
  if (world === undefined) return { land: '', borders: '' }
  const unit = world.unitsPerDegree
  const accuracyM = width / shrink
  const box = {
    west: (longitude - accuracyM) * unit,
    east: (longitude + accuracyM) * unit,
    north: -(latitude + width) * unit,
    south: -(latitude - width) * unit,
  }
  return { land: pathIn(world.land, box), borders: pathIn(world.borders, box) }
}

/** Bundled data of the map, loaded once per window, for the first map that needs it; tried again if that fails. */
function loadedOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    if (loading !== undefined) return loading
    const started = loadCode(load)
    loading = started
    started.catch(() => void (loading = undefined))
    return started
  }
}

const loadWorld = loadedOnce(async () => worldOf((await import('../../../resources/map/world.json')).default))
const loadPlaces = loadedOnce(async () => (await import('../../../resources/map/places.json')).default)
const townsIn = (language: string) => loadedOnce(async () => townsOf(await loadPlaces(), language))
/** One for each language, so that a map that is drawn again keeps its towns. */
const ENGLISH_TOWNS = townsIn('en')
const TOWNS: Readonly<Record<string, () => Promise<readonly Town[]>>> = { pl: townsIn('pl'), ru: townsIn('ru') }

/** A map without a part that does not load is still a map. */
function useMapPart<T>(load: () => Promise<T>): T | undefined {
  const [part, setPart] = useState<T>()
  useEffect(() => {
    let live = true
    load().then(
      (loaded) => live && setPart(loaded),
      (reason: unknown) => console.warn('a part of the map did not load', reason),
    )
    return () => {
      live = false
    }
  }, [load])
  return part
}

/** One line of the map in whole units, with its bounding box. */
type Shape = {
  readonly path: string
  readonly west: number
  readonly east: number
  readonly north: number
  readonly south: number
}

/** The outline of the world. Units count to the east and to the south, `unitsPerDegree` of them to a degree. */
type World = {
  readonly unitsPerDegree: number
  readonly land: readonly Shape[]
  readonly borders: readonly Shape[]
}

/** A part of the map, in units. */
export type Box = { readonly west: number; readonly east: number; readonly north: number; readonly south: number }

type Stored = { readonly unitsPerDegree: number; readonly land: readonly string[]; readonly borders: readonly string[] }

export const worldOf = ({ unitsPerDegree, land, borders }: Stored): World => ({
  unitsPerDegree,
  land: land.map((line) => shapeOf(line, 'z')),
  borders: borders.map((line) => shapeOf(line, '')),
})

/** `3 4 1 0 0 2`: a first point, then steps from each to the next. */
function shapeOf(line: string, end: '' | 'z'): Shape {
  const numbers = line.split(' ').map(Number)
  let [x = 0, y = 0] = numbers
  let [west, east, north, south] = [x, x, y, y]
  for (let at = 2; at < numbers.length; at += 2) {
    x += numbers[at] ?? 0
    y += numbers[at + 1] ?? 0
    west = Math.min(west, x)
    east = Math.max(east, x)
    north = Math.min(north, y)
    south = Math.max(south, y)
  }
  const steps = numbers.slice(2).join(' ')
  return {
    path: `M${numbers[0] ?? 0} ${numbers[1] ?? 0}${steps === '' ? '' : `l${steps}`}${end}`,
    west,
    east,
    north,
    south,
  }
}

/** The shapes that intersect a box, as one path. */
export const pathIn = (shapes: readonly Shape[], box: Box): string =>
  shapes
    .filter(
      ({ west, east, north, south }) => west < box.east && east > box.west && north < box.south && south > box.north,
    )
    .map(({ path }) => path)
    .join('')

/** The names of the towns in view; decorative, since the place is told beside the map. */
function Towns({ at, span, ratio, faint, tools }: Pick<Props, 'at' | 'span' | 'ratio' | 'faint' | 'tools'>) {
  const box = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  const towns = useMapPart(TOWNS[useLanguage()] ?? ENGLISH_TOWNS)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const measure = (): void => setSize({ width: element.clientWidth, height: element.clientHeight })
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [])
  const labels = useMemo(
    () => labelsIn(towns ?? [], { at, span, ratio, tools, ...size }),
    [towns, at, span, ratio, tools, size],
  )
  return (
    <div ref={box} className={cx(styles['towns'], faint && styles['faint'])} aria-hidden="true">
      {labels.map(({ name, rank, dot, align, box: { left, top, width } }) => (
        <span key={`${name} ${dot.x} ${dot.y}`}>
          <i style={{ left: dot.x, top: dot.y }} />
          <bdi className={styles[rank]} style={{ left, top, width, textAlign: align }}>
            {name}
          </bdi>
        </span>
      ))}
    </div>
  )
}

type Rank = 'large' | 'medium' | 'small'

/** A town at degrees to the east and to the south. */
type Town = { readonly name: string; readonly east: number; readonly south: number; readonly rank: Rank }

type StoredTowns = {
  readonly unitsPerDegree: number
  /** How many of the first ones are large, and how many at least of medium size. */
  readonly large: number
  readonly medium: number
  /** Name, east, south; then the names in other languages, as far as they are known and differ. */
  readonly places: readonly string[]
}

const OTHER_NAMES: Readonly<Record<string, number>> = { pl: 3, ru: 4 }

/** The towns with their names in a language; one that has none in it has the name that it has at home or in English. */
export const townsOf = ({ unitsPerDegree, large, medium, places }: StoredTowns, language: string): readonly Town[] => {
  const column = OTHER_NAMES[language] ?? 0
  return places.map((line, index) => {
    const parts = line.split('\t')
    const [first = '', east, south] = parts
    const rank = index < large ? 'large' : index < medium ? 'medium' : 'small'
    return {
      name: parts[column] || first,
      east: Number(east) / unitsPerDegree,
      south: Number(south) / unitsPerDegree,
      rank,
    }
  })
}

/** Pixels. */
type Rect = { readonly left: number; readonly top: number; readonly width: number; readonly height: number }
type Label = {
  readonly name: string
  readonly rank: Rank
  readonly dot: { readonly x: number; readonly y: number }
  readonly box: Rect
  /** The side of the box that is at the dot: names are narrower than their boxes. */
  readonly align: 'start' | 'end' | 'center'
}

const MAX_LABELS = 14
const LABEL_HEIGHT = 14
/** Widest letters on average, so that a name never reaches the next one. */
const LETTER = 7
/** A button over the corner with the space around it. */
const TOOL = { width: 48, height: 35 }
/** From the dot to the name. */
const BESIDE = 6
/** Half of a dot with some room around it. */
const DOT = 4

/**
 * Names of the largest towns in view, none of which touches another, the dot of another or the pin in the middle. `towns`
 * begins with the largest. A name is to the right of its town, else to the left or below.
 */
export function labelsIn(
  towns: readonly Town[],
  {
    at,
    span,
    ratio,
    width,
    height,
    tools = 0,
  }: Pick<Props, 'at' | 'span' | 'ratio' | 'tools'> & { width: number; height: number },
): readonly Label[] {
  const shrink = shrinkAt(at)
  // As the drawing, which fills the box.
  const scale = Math.max(height / span, width / (span * ratio))
  // The town under the pin keeps its name, beside it.
  const pin: Rect = { left: width / 2 - 24, top: height / 2 - 58, width: 48, height: 64 }
  const corner = { width: TOOL.width, height: tools * TOOL.height }
  const taken: Rect[] = tools === 0 ? [] : [{ left: width - corner.width, top: height - corner.height, ...corner }]
  const labels: Label[] = []
  for (const { name, east, south, rank } of towns) {
    if (labels.length === MAX_LABELS) break
    const x = width / 2 + eastOf(at.longitude, east) * shrink * scale
    const y = height / 2 + (south + at.latitude) * scale
    if (x < 0 || y < 0 || x > width || y > height) continue
    const spot: Rect = { left: x - DOT, top: y - DOT, width: 2 * DOT, height: 2 * DOT }
    if (taken.some((other) => overlap(spot, other))) continue
    const size = { width: name.length * LETTER, height: LABEL_HEIGHT }
    const middle = y - LABEL_HEIGHT / 2
    const place = (
      [
        { align: 'start', box: { left: x + BESIDE, top: middle, ...size } },
        { align: 'end', box: { left: x - BESIDE - size.width, top: middle, ...size } },
        { align: 'center', box: { left: x - size.width / 2, top: y + BESIDE, ...size } },
      ] as const
    ).find(({ box }) => isInside(box, width, height) && ![pin, ...taken].some((other) => overlap(box, other)))
    if (place === undefined) continue
    taken.push(place.box, spot)
    labels.push({ name, rank, dot: { x, y }, ...place })
  }
  return labels
}

const isInside = (box: Rect, width: number, height: number): boolean =>
  box.left >= 2 && box.top >= 2 && box.left + box.width <= width - 2 && box.top + box.height <= height - 2

const overlap = (a: Rect, b: Rect): boolean =>
  a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height
