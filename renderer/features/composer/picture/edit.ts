import { isAnimated } from '../../../lib/files/animated.ts'

/** A rectangle in pixels of the picture as it was taken, before it is turned. */
export type Area = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
export type Size = { readonly width: number; readonly height: number }
export type Point = { readonly x: number; readonly y: number }

/** Quarter turns clockwise. */
export type Turns = 0 | 1 | 2 | 3

/** What is painted over the picture, in the order of drawing. */
export type Mark =
  | { readonly kind: 'cover'; readonly area: Area }
  | { readonly kind: 'line'; readonly points: readonly Point[]; readonly color: string; readonly width: number }

/** Everything that was changed. The picture itself is never changed: a result is painted from it. */
export type Edit = { readonly turns: Turns; readonly crop?: Area; readonly marks: readonly Mark[] }

export const UNCHANGED: Edit = { turns: 0, marks: [] }

/** The steps before and after the current one. */
export type Steps = { readonly past: readonly Edit[]; readonly now: Edit; readonly future: readonly Edit[] }

export const FIRST: Steps = { past: [], now: UNCHANGED, future: [] }

export const isChanged = ({ now }: Steps): boolean => now !== UNCHANGED

export const after = ({ past, now }: Steps, next: Edit): Steps => ({ past: [...past, now], now: next, future: [] })

export function undone({ past, now, future }: Steps): Steps {
  const before = past.at(-1)
  return before === undefined
    ? { past, now, future }
    : { past: past.slice(0, -1), now: before, future: [now, ...future] }
}

export function redone({ past, now, future }: Steps): Steps {
  const [next, ...rest] = future
  return next === undefined ? { past, now, future } : { past: [...past, now], now: next, future: rest }
}

export const turned = (edit: Edit, by: 1 | -1): Edit => ({ ...edit, turns: ((edit.turns + by + 4) % 4) as Turns })

export const marked = (edit: Edit, mark: Mark): Edit => ({ ...edit, marks: [...edit.marks, mark] })

/** The part that remains, or the whole picture. */
export const partOf = ({ crop }: Edit, whole: Size): Area => crop ?? { x: 0, y: 0, ...whole }

export function cropped(edit: Edit, area: Area, whole: Size): Edit {
  const { crop: _crop, ...rest } = edit
  const part = within(area, whole)
  const isWhole = part.width === whole.width && part.height === whole.height
  return isWhole ? rest : { ...rest, crop: part }
}

/** Whole pixels inside the picture, at least one. Rounded outward: a pixel that is touched is included. */
export function within({ x, y, width, height }: Area, whole: Size): Area {
  const left = clamp(Math.floor(x), 0, whole.width - 1)
  const top = clamp(Math.floor(y), 0, whole.height - 1)
  const right = clamp(Math.ceil(x + width), left + 1, whole.width)
  const bottom = clamp(Math.ceil(y + height), top + 1, whole.height)
  return { x: left, y: top, width: right - left, height: bottom - top }
}

export const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/** The rectangle with these opposite corners. */
export const between = (a: Point, b: Point): Area => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
})

export const sizeOf = ({ width, height }: Size, turns: Turns): Size =>
  turns % 2 === 0 ? { width, height } : { width: height, height: width }

/** Where a point of the picture is once it is turned. `whole` is the size before. */
export function seenAt({ x, y }: Point, turns: Turns, { width, height }: Size): Point {
  switch (turns) {
    case 0:
      return { x, y }
    case 1:
      return { x: height - y, y: x }
    case 2:
      return { x: width - x, y: height - y }
    case 3:
      return { x: y, y: width - x }
  }
}

/** The opposite of {@link seenAt}. */
export const pointUnder = (seen: Point, turns: Turns, whole: Size): Point =>
  seenAt(seen, ((4 - turns) % 4) as Turns, sizeOf(whole, turns))

export const areaSeen = (area: Area, turns: Turns, whole: Size): Area =>
  between(...(corners(area).map((corner) => seenAt(corner, turns, whole)) as [Point, Point]))

export const areaUnder = (seen: Area, turns: Turns, whole: Size): Area =>
  between(...(corners(seen).map((corner) => pointUnder(corner, turns, whole)) as [Point, Point]))

const corners = ({ x, y, width, height }: Area): [Point, Point] => [
  { x, y },
  { x: x + width, y: y + height },
]

type Ctx = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

/** Nothing of the picture shows through. */
const COVER_COLOR = '#000000'

/** Pixels; larger pictures would need more memory than a page has. */
const MAX_PIXELS = 100_000_000
/** Pixels of the longest side; larger canvases cannot be drawn on. */
const MAX_SIDE = 16_384
/** The picture on screen: small enough that every movement is painted within a frame. */
const SCREEN_SIDE = 1_600
const QUALITY = 0.92

/** Lossless formats stay lossless; a photo stays a JPEG. Nothing but pixels is written: no place, no camera, no time. */
const FORMATS: Readonly<Record<string, { readonly type: string; readonly ending: string }>> = {
  'image/jpeg': { type: 'image/jpeg', ending: '.jpg' },
  'image/png': { type: 'image/png', ending: '.png' },
  'image/bmp': { type: 'image/png', ending: '.png' },
  'image/webp': { type: 'image/webp', ending: '.webp' },
  'image/avif': { type: 'image/webp', ending: '.webp' },
}

/** A picture to edit: its size, and a copy for the screen with `scale` of its sides. */
export type Decoded = Size & { readonly screen: ImageBitmap; readonly scale: number }

/** Why a picture cannot be edited. */
export type Unfit = 'animated' | 'broken' | 'large'

export async function decode(blob: Blob): Promise<Decoded | Unfit> {
  if (await isAnimated(blob)) return 'animated'
  const whole = await createImageBitmap(blob).catch(() => undefined)
  if (whole === undefined) return 'broken'
  const { width, height } = whole
  const scale = Math.min(1, SCREEN_SIDE / Math.max(width, height))
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE) {
    whole.close()
    return 'large'
  }
  if (scale === 1) return { width, height, screen: whole, scale }
  const size = {
    resizeWidth: Math.max(1, Math.round(width * scale)),
    resizeHeight: Math.max(1, Math.round(height * scale)),
  }
  const screen = await createImageBitmap(whole, { ...size, resizeQuality: 'high' })
  whole.close()
  return { width, height, screen, scale }
}

/**
 * Paints a picture with its marks, turned. `part` is what is shown, in pixels of the picture; `zoom` are pixels of the
 * canvas per pixel of the picture, `scale` those of the bitmap.
 */
export function paint(
  ctx: Ctx,
  {
    bitmap,
    scale,
    edit,
    part,
    zoom,
  }: { bitmap: CanvasImageSource; scale: number; edit: Edit; part: Area; zoom: number },
): void {
  const { width, height } = sizeOf(part, edit.turns)
  ctx.save()
  ctx.clearRect(0, 0, width * zoom, height * zoom)
  ctx.translate((width * zoom) / 2, (height * zoom) / 2)
  ctx.rotate((edit.turns * Math.PI) / 2)
  ctx.translate((-part.width * zoom) / 2, (-part.height * zoom) / 2)
  ctx.scale(zoom, zoom)
  ctx.beginPath()
  ctx.rect(0, 0, part.width, part.height)
  ctx.clip()
  ctx.drawImage(
    bitmap,
    part.x * scale,
    part.y * scale,
    part.width * scale,
    part.height * scale,
    0,
    0,
    part.width,
    part.height,
  )
  ctx.translate(-part.x, -part.y)
  for (const mark of edit.marks) paintMark(ctx, mark)
  ctx.restore()
}

export function paintMark(ctx: Ctx, mark: Mark): void {
  if (mark.kind === 'cover') {
    const { x, y, width, height } = mark.area
    ctx.fillStyle = COVER_COLOR
    ctx.fillRect(x, y, width, height)
    return
  }
  const [first, ...rest] = mark.points
  if (first === undefined) return
  ctx.strokeStyle = mark.color
  ctx.lineWidth = mark.width
  ctx.lineCap = 'round'
  ctx.lineJoin = 'round'
  ctx.beginPath()
  ctx.moveTo(first.x, first.y)
  // A line to itself is a dot.
  for (const { x, y } of rest.length === 0 ? [first] : rest) ctx.lineTo(x, y)
  ctx.stroke()
}

/** The edited picture as a new file, painted from the original at its full size. `undefined` if that is not possible. */
export async function editedFile(original: File, edit: Edit): Promise<File | undefined> {
  const bitmap = await createImageBitmap(original).catch(() => undefined)
  const format = FORMATS[original.type.toLowerCase()]
  if (bitmap === undefined || format === undefined) return undefined
  try {
    const part = partOf(edit, bitmap)
    const { width, height } = sizeOf(part, edit.turns)
    const canvas = new OffscreenCanvas(width, height)
    const ctx = canvas.getContext('2d')
    if (ctx === null) return undefined
    paint(ctx, { bitmap, scale: 1, edit, part, zoom: 1 })
    const blob = await canvas.convertToBlob({ type: format.type, quality: QUALITY })
    if (blob.type !== format.type) return undefined
    return new File([blob], `${original.name.replace(/\.[^.]*$/, '')}${format.ending}`, { type: format.type })
  } finally {
    bitmap.close()
  }
}
