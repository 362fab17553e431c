import { isAnimated } from '../../../lib/files/animated.ts'
import { partOf, sizeOf, type Area, type Edit, type Mark, type Size } from './edit.ts'

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
