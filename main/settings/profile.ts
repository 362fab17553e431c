import * as v from 'valibot'

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(255))

/** Which workspace the profile is signed in to. The token or signing secret is in the secret store, never here. */
export const accountRefSchema = v.variant('kind', [
  v.object({ kind: v.literal('demo'), userId: id }),
  v.object({ kind: v.literal('own'), userId: id, name: v.pipe(v.string(), v.maxLength(500)) }),
  v.object({
    kind: v.literal('hosted'),
    userId: id,
    url: v.pipe(v.string(), v.maxLength(2_048)),
    apiKey: v.pipe(v.string(), v.maxLength(500)),
  }),
])
export type AccountRef = v.InferOutput<typeof accountRefSchema>

export const profileSchema = v.object({
  account: v.optional(accountRefSchema),
  /** Somebody signed out on purpose: the next start asks, instead of opening the demo. */
  signedOut: v.optional(v.boolean(), false),
  /** By account folder: proves that the databases in it belong to this profile. Source: reliability promise R19. */
  installIds: v.optional(v.record(v.string(), v.string()), {}),
  /** By local workspace: the port of the last run, so that addresses of attachments stay good. */
  ports: v.optional(v.record(v.string(), v.number()), {}),
})
export type Profile = v.InferOutput<typeof profileSchema>

export const SIGNED_OUT_PROFILE: Profile = { signedOut: false, installIds: {}, ports: {} }
