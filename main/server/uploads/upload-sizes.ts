import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { UploadReply, WireUploadSize } from '#shared/wire/uploads.ts'
import { MAX_RESIZED_PIXELS, RESIZABLE } from './pictures/codec.ts'
import type { Size } from './pictures/picture.ts'
import type { MadePicture } from './pictures/pictures.ts'
import { insertUpload, uploadById, type UploadRow } from './upload-table.ts'
import { transact, type Services } from '../work.ts'
import { parseQuery } from '../http/json.ts'
import { read } from '../http/shapes.ts'

/** Pixels per side. See docs/wire.md 8.16 "images". */
const THUMBNAIL = 600
const MAX_SIDE = 2_000
const MAX_SIZES = 5

const side = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_SIDE))
const sizeShape = v.looseObject({
  width: side,
  height: side,
  resize: v.optional(v.picklist(['clip', 'crop', 'scale', 'fill', '']), 'clip'),
  crop: v.optional(v.picklist(['center', 'top', 'bottom', 'left', 'right', '']), 'center'),
})

/** The part `upload_sizes`: a JSON list of sizes. Refuses invalid ones with code 4. */
export function readSizes(text: string): Size[] {
  if (text.trim() === '') return []
  const given = parseQuery(new URLSearchParams({ upload_sizes: text }))['upload_sizes']
  const sizes = read(v.pipe(v.array(sizeShape), v.maxLength(MAX_SIZES)), given)
  return sizes.map(({ width, height, resize, crop }) => ({
    width,
    height,
    resize: resize || 'clip',
    crop: crop || 'center',
  }))
}

const THUMBNAIL_SIZE: Size = { width: THUMBNAIL, height: THUMBNAIL, resize: 'clip', crop: 'center' }

/**
 * Makes the thumbnail of an uploaded picture and the requested sizes, and stores them with it. A small picture is its
 * own thumbnail; one that cannot be resized here has none.
 */
export async function addSizes(
  id: string,
  requested: readonly Size[],
  services: Services,
): Promise<Partial<UploadReply>> {
  const row = uploadById(services.db, id)
  const { width, height } = row ?? {}
  if (!row?.mime_type.startsWith('image/') || !width || !height) return {}
  const own = services.fileUrls.signed(row.id, row.name)
  const isSmall = width <= THUMBNAIL && height <= THUMBNAIL
  const canMake = RESIZABLE.has(row.mime_type) && width * height <= MAX_RESIZED_PIXELS
  const sizes = canMake ? [...(isSmall ? [] : [THUMBNAIL_SIZE]), ...requested] : []
  const job = { path: services.blobs.pathOf(id), mimeType: row.mime_type, sizes }
  const made = sizes.length === 0 ? [] : await services.pictures.make(job)
  const urls = await Promise.all(made.map((picture) => store(row, picture, services)))
  const thumb = isSmall ? own : urls.shift()
  return {
    ...(thumb === undefined ? {} : { thumb_url: thumb }),
    ...(urls.length > 0
      ? { upload_sizes: requested.map((size, at): WireUploadSize => ({ ...size, url: urls[at] ?? own })) }
      : {}),
  }
}

async function store(original: UploadRow, picture: MadePicture, services: Services): Promise<string> {
  const id = randomBytes(16).toString('hex')
  const writer = await services.blobs.begin(id)
  try {
    await writer.write(Buffer.from(picture.bytes))
    await writer.commit()
  } catch (error) {
    await writer.drop()
    throw error
  }
  transact(services, ({ db, now }) =>
    insertUpload(db, {
      ...original,
      id,
      size_bytes: picture.bytes.length,
      width: picture.width,
      height: picture.height,
      created_at: now,
      original: original.id,
    }),
  )
  return services.fileUrls.signed(id, original.name)
}
