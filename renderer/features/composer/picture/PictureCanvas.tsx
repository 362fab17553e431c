import { useLayoutEffect, useRef, type KeyboardEvent, type PointerEvent, type RefObject } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import {
  between,
  clamp,
  partOf,
  pointUnder,
  sizeOf,
  within,
  type Area,
  type Edit,
  type Mark,
  type Point,
  type Size,
  paint,
  paintMark,
  type Decoded,
} from './edit.ts'
import styles from './EditPicture.module.css'

export type Tool = 'crop' | 'cover' | 'draw'

type Props = {
  readonly picture: Decoded
  readonly edit: Edit
  readonly tool: Tool
  readonly color: string
  /** Id of the text that explains the keys. */
  readonly hintId: string
  readonly onCrop: (area: Area) => void
  readonly onMark: (mark: Mark) => void
}

/** Pixels of the screen that are free for the picture: the dialog's width, and what its controls leave of the height. */
const ROOM = { width: 796, height: 0.5 }
/** A small picture is enlarged up to this, so that its pixels can be met. */
const MOST_ZOOM = 4
/** Pixels of the screen that an arrow key moves the crosshair. */
const STEP = 16
/** A line's width: this share of the picture's longer side. */
const LINE_SHARE = 1 / 160
/** Pixels of the screen; a shorter drag is a click, which covers and crops nothing. */
const SHORTEST_DRAG = 4

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/**
 * A drag in progress: the points on the turned part, in pixels of the picture. `keyed`: begun by a key or a click, so it
 * goes on without a pressed button.
 */
type Gesture = { readonly points: Point[]; readonly keyed: boolean }

/** What is in progress, and the crosshair of the keyboard. `of`: the tool and the part of the picture that it is about. */
type Progress = { readonly of: string; readonly gesture?: Gesture; readonly cross?: Point }

/**
 * The picture with its changes. A drag, or the crosshair of the keyboard, crops, covers or draws; what is in progress is
 * painted on a second canvas, so that a large picture is not painted again with each movement.
 */
export function PictureCanvas(props: Props) {
  const { picture, edit, tool, hintId } = props
  const t = useTexts('composer')
  const base = useRef<HTMLCanvasElement>(null)
  const top = useRef<HTMLCanvasElement>(null)
  const part = partOf(edit, picture)
  const seen = sizeOf(part, edit.turns)
  const zoom = fitting(seen)
  const [width, height] = [Math.max(1, Math.round(seen.width * zoom)), Math.max(1, Math.round(seen.height * zoom))]
  const drag = useDrag(top, { ...props, part, seen, zoom })
  useLayoutEffect(() => {
    const ctx = scaled(base.current, width, height)
    if (ctx) paint(ctx, { bitmap: picture.screen, scale: picture.scale, edit, part: partOf(edit, picture), zoom })
  }, [base, picture, edit, zoom, width, height])
  return (
    <div className={styles['stage']}>
      {/* The keys are those of a drawing surface, which no other role has. */}
      <div
        role="application"
        tabIndex={0}
        aria-label={t(`picture.surface.${tool}`, seen)}
        aria-describedby={hintId}
        className={styles['picture']}
        style={{ width, height }}
        data-picture={`${seen.width}x${seen.height}`}
        {...drag}
      >
        <canvas ref={base} aria-hidden="true" />
        <canvas ref={top} aria-hidden="true" />
      </div>
    </div>
  )
}

/** Pixels of the screen per pixel of the picture. */
function fitting({ width, height }: Size): number {
  const room = { width: Math.min(ROOM.width, window.innerWidth - 96), height: window.innerHeight * ROOM.height }
  return Math.min(MOST_ZOOM, Math.max(room.width, 40) / width, Math.max(room.height, 40) / height)
}

/** A canvas as sharp as the screen, emptied; drawn on in pixels of the page. */
function scaled(canvas: HTMLCanvasElement | null, width: number, height: number) {
  const ctx = canvas?.getContext('2d')
  if (!canvas || !ctx) return undefined
  const density = window.devicePixelRatio || 1
  const pixels = { width: Math.round(width * density), height: Math.round(height * density) }
  // A canvas is emptied by its size, which costs more than clearing it.
  if (canvas.width !== pixels.width || canvas.height !== pixels.height) Object.assign(canvas, pixels)
  ctx.setTransform(density, 0, 0, density, 0, 0)
  ctx.clearRect(0, 0, width, height)
  return ctx
}

type Surface = Props & { readonly part: Area; readonly seen: Size; readonly zoom: number }

function useDrag(top: RefObject<HTMLCanvasElement | null>, surface: Surface) {
  const t = useTexts('composer')
  const { part, seen, zoom, tool, color } = surface
  // With another tool, part or turn, what was in progress belonged to what was there before.
  const of = [tool, surface.edit.turns, ...Object.values(part)].join(' ')
  const progress = useRef<Progress>({ of })
  const now = (): Progress => (progress.current.of === of ? progress.current : { of })
  const paintNow = (): void => paintProgress(top.current, { seen, zoom, tool, color }, now())
  const set = (change: Partial<Progress>): void => {
    progress.current = { ...now(), ...change }
    paintNow()
  }
  useLayoutEffect(paintNow)
  const inside = ({ x, y }: Point): Point => ({ x: clamp(x, 0, seen.width), y: clamp(y, 0, seen.height) })
  const at = ({ nativeEvent }: PointerEvent): Point =>
    inside({ x: nativeEvent.offsetX / zoom, y: nativeEvent.offsetY / zoom })
  const finish = (): void => {
    const { gesture } = now()
    set({ gesture: undefined })
    if (gesture !== undefined && complete(surface, gesture)) announce(t(`picture.done.${tool}`))
  }
  const begin = (point: Point): void => {
    set({ cross: point, gesture: { points: [point], keyed: true } })
    announce(t('picture.started', { x: Math.round(point.x), y: Math.round(point.y) }))
  }
  const move = (from: Point, by: Point, pixel: boolean): void => {
    const step = pixel ? 1 : Math.max(1, Math.round(STEP / zoom))
    const cross = inside({ x: Math.round(from.x + by.x * step), y: Math.round(from.y + by.y * step) })
    now().gesture?.points.push(cross)
    set({ cross })
    announce(t('picture.at', cross))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const { gesture, cross = { x: seen.width / 2, y: seen.height / 2 } } = now()
    const arrow = ARROWS[event.key]
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape' && gesture !== undefined) set({ gesture: undefined })
    else if (arrow !== undefined) move(cross, arrow, event.shiftKey)
    else if (event.key !== ' ' && event.key !== 'Enter') return
    else if (gesture?.keyed === true) finish()
    else begin(cross)
    event.preventDefault()
  }
  return {
    onKeyDown,
    onBlur: () => {
      // Done as it is seen: what looks blacked out would otherwise be sent visible.
      if (now().gesture?.keyed === true) finish()
      set({ cross: undefined, gesture: undefined })
    },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      const { gesture } = now()
      if (gesture?.keyed === true && tool !== 'draw') {
        gesture.points.push(at(event))
        return finish()
      }
      event.currentTarget.setPointerCapture(event.pointerId)
      set({ cross: undefined, gesture: { points: [at(event)], keyed: false } })
    },
    onPointerMove: (event: PointerEvent) => {
      const { gesture } = now()
      if (gesture === undefined || gesture.keyed) return
      gesture.points.push(at(event))
      paintNow()
    },
    onPointerUp: (event: PointerEvent) => {
      const { gesture } = now()
      if (gesture?.keyed !== false) return
      // A click is the first of two corners, for whoever cannot drag.
      if (tool === 'draw' || isDragged(gesture, zoom)) finish()
      else begin(at(event))
    },
    onPointerCancel: () => set({ gesture: undefined }),
  }
}

/** The change that a drag makes, in pixels of the picture; nothing for one that is too short. */
function changeOf(
  { tool, color, part, seen, zoom, edit, picture }: Surface,
  { points }: Gesture,
): { readonly crop: Area } | { readonly mark: Mark } | undefined {
  const under = (point: Point): Point => {
    const inPart = pointUnder(point, edit.turns, part)
    return { x: inPart.x + part.x, y: inPart.y + part.y }
  }
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return undefined
  if (tool === 'draw') {
    const width = Math.max(2, Math.round(Math.max(seen.width, seen.height) * LINE_SHARE))
    return { mark: { kind: 'line', points: points.map(under), color, width } }
  }
  if (!isDragged({ points: [first, last] }, zoom)) return undefined
  const area = within(between(under(first), under(last)), picture)
  return tool === 'crop' ? { crop: area } : { mark: { kind: 'cover', area } }
}

function isDragged({ points }: Pick<Gesture, 'points'>, zoom: number): boolean {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return false
  const { width, height } = between(first, last)
  return width * zoom >= SHORTEST_DRAG && height * zoom >= SHORTEST_DRAG
}

function complete(surface: Surface, gesture: Gesture): boolean {
  const change = changeOf(surface, gesture)
  if (change === undefined) return false
  if ('crop' in change) surface.onCrop(change.crop)
  else surface.onMark(change.mark)
  return true
}

/** What is dragged, and the crosshair of the keyboard. */
function paintProgress(
  canvas: HTMLCanvasElement | null,
  surface: Pick<Surface, 'seen' | 'zoom' | 'tool' | 'color'>,
  { gesture, cross }: Progress,
): void {
  const ctx = scaled(
    canvas,
    Math.round(surface.seen.width * surface.zoom),
    Math.round(surface.seen.height * surface.zoom),
  )
  if (canvas === null || ctx === undefined) return
  const { seen, zoom, tool } = surface
  const [first, last] = [gesture?.points[0], gesture?.points.at(-1)]
  ctx.scale(zoom, zoom)
  if (gesture !== undefined && first !== undefined && last !== undefined) {
    const area = between(first, last)
    if (tool === 'draw') {
      const width = Math.max(2, Math.round(Math.max(seen.width, seen.height) * LINE_SHARE))
      paintMark(ctx, { kind: 'line', points: gesture.points, color: surface.color, width })
    } else if (tool === 'cover') {
      paintMark(ctx, { kind: 'cover', area })
      frame(ctx, area, zoom)
    } else {
      ctx.fillStyle = 'rgb(0 0 0 / 55%)'
      ctx.beginPath()
      ctx.rect(0, 0, seen.width, seen.height)
      ctx.rect(area.x, area.y, area.width, area.height)
      ctx.fill('evenodd')
      frame(ctx, area, zoom)
    }
  }
  if (cross !== undefined) {
    const arm = 10 / zoom
    for (const [color, line] of CROSS) {
      ctx.strokeStyle = color
      ctx.lineWidth = line / zoom
      ctx.beginPath()
      ctx.moveTo(cross.x - arm, cross.y)
      ctx.lineTo(cross.x + arm, cross.y)
      ctx.moveTo(cross.x, cross.y - arm)
      ctx.lineTo(cross.x, cross.y + arm)
      ctx.stroke()
    }
  }
}

/** Dark below light, so that it is seen on every picture. */
const CROSS = [
  ['#000000', 4],
  ['#ffffff', 2],
] as const

function frame(ctx: CanvasRenderingContext2D, { x, y, width, height }: Area, zoom: number): void {
  for (const [color, line] of CROSS) {
    ctx.strokeStyle = color
    ctx.lineWidth = line / 2 / zoom
    ctx.strokeRect(x, y, width, height)
  }
}
