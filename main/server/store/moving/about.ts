import * as v from 'valibot'
import { isAddress } from '#shared/rules/server/network-address.ts'

const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most))
const id = text(255)
const secret = v.pipe(v.string(), v.minLength(8), v.maxLength(500))

/** Where the workspace was shared on the network, for whoever tells its people the new address. */
export const cameFromSchema = v.object({
  addresses: v.pipe(v.array(v.pipe(v.string(), v.check(isAddress))), v.minLength(1), v.maxLength(16)),
  port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  /** PEM. */
  certificate: text(20_000),
  /** Shows the device that it came from who has the file. */
  secret,
})

/** The first frame of a workspace file. */
export const aboutSchema = v.object({
  kind: v.literal('parlor-workspace'),
  /** Epoch milliseconds. */
  savedAt: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8_640_000_000_000_000)),
  schema: v.pipe(v.number(), v.integer()),
  /** The same wherever it moves. */
  workspace: id,
  name: text(500),
  /** What it was called when it was created: settings are stored under it. */
  founded: text(500),
  icon: v.optional(v.object({ base64: v.pipe(v.string(), v.maxLength(200_000)), mime_type: text(100) })),
  owner: v.object({ id, name: text(500) }),
  /** Of all content. */
  bytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** Only with a passphrase: whoever has them can sign in as anyone. */
  keys: v.optional(v.object({ apiKey: text(500), secret: v.pipe(secret, v.minLength(32)) })),
  came: v.optional(cameFromSchema),
})
export type AboutWorkspace = v.InferOutput<typeof aboutSchema>
