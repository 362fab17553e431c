import * as v from 'valibot'
import { icon, windowPlace } from '#shared/bridge/schemas.ts'
import { ACCOUNT_HUES } from '#shared/domain/session.ts'
import { NO_UPDATE_MEMORY } from '#shared/rules/desktop/updates.ts'

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(255))
const version = v.pipe(v.string(), v.minLength(1), v.maxLength(100))

/** The account of a workspace. The token or signing secret is in the secret store, never here. */
const accountRefSchema = v.variant('kind', [
  v.object({ kind: v.literal('demo'), userId: id }),
  v.object({
    kind: v.literal('own'),
    userId: id,
    name: v.pipe(v.string(), v.maxLength(500)),
    /** Name of the workspace's folder; absent for the first own workspace. */
    place: v.optional(v.pipe(v.string(), v.regex(/^own-[\da-f]{8}$/))),
  }),
  v.object({
    kind: v.literal('hosted'),
    userId: id,
    url: v.pipe(v.string(), v.maxLength(2_048)),
    apiKey: v.pipe(v.string(), v.maxLength(500)),
    /** A guest: `userId` was generated here and exists on no server. */
    guest: v.optional(v.literal(true)),
    /** Joined by invitation: the only certificate (PEM) that is trusted for it. */
    certificate: v.optional(v.pipe(v.string(), v.maxLength(8_000))),
    /** The one that is trusted instead since the workspace moved to another device; `certificate` still identifies it. */
    trusts: v.optional(v.pipe(v.string(), v.maxLength(8_000))),
  }),
])
export type AccountRef = v.InferOutput<typeof accountRefSchema>

/** A signed-in account of this profile, and the user's customization. */
const storedAccountSchema = v.object({
  ref: accountRefSchema,
  name: v.optional(v.pipe(v.string(), v.maxLength(100))),
  /** What its server calls itself. */
  serverName: v.optional(v.pipe(v.string(), v.maxLength(255))),
  /** The icon of the workspace on its server. */
  serverIcon: v.optional(icon),
  icon: v.optional(icon),
  hue: v.optional(v.picklist(ACCOUNT_HUES)),
  muted: v.optional(v.boolean()),
})
export type StoredAccount = v.InferOutput<typeof storedAccountSchema>

export const profileSchema = v.object({
  /** The account that was shown last. */
  account: v.optional(accountRefSchema),
  /** All accounts, in rail order. */
  accounts: v.optional(v.pipe(v.array(storedAccountSchema), v.maxLength(200)), []),
  /** Own workspaces on this device by folder: name, last user, the name they were created with, and their icon. */
  workspaces: v.optional(
    v.record(
      v.string(),
      v.object({
        name: v.pipe(v.string(), v.maxLength(500)),
        userId: id,
        founded: v.optional(v.pipe(v.string(), v.maxLength(500))),
        icon: v.optional(icon),
        /** When it moved to another device. */
        moved: v.optional(v.number()),
      }),
    ),
    {},
  ),
  /** Open single-place windows: account and place. The next start opens them again. */
  windows: v.optional(v.pipe(v.array(v.object({ account: id, place: windowPlace })), v.maxLength(100)), []),
  /** By account folder: verifies that its databases belong to this profile. */
  installIds: v.optional(v.record(v.string(), v.string()), {}),
  /** The server of the client certificate; the certificate and its key are a secret. */
  identityHost: v.optional(v.pipe(v.string(), v.maxLength(255))),
  /** State of updates across runs. */
  updates: v.optional(
    v.object({
      skipped: v.optional(version),
      quietUntil: v.number(),
      tried: v.optional(
        v.object({
          version,
          times: v.number(),
          ran: v.boolean(),
          from: v.optional(version),
          starts: v.optional(v.number()),
          declined: v.optional(v.boolean()),
        }),
      ),
      damaged: v.optional(v.object({ file: v.pipe(v.string(), v.maxLength(200)), times: v.number() })),
      refused: v.pipe(v.array(version), v.maxLength(100), v.readonly()),
    }),
    { quietUntil: 0, refused: [] },
  ),
  /**
   * By local workspace that is shared on the network: its port there, whether the owner accepts each person, and whether
   * it is announced there.
   */
  sharing: v.optional(
    v.record(
      v.string(),
      v.object({
        on: v.boolean(),
        port: v.number(),
        approve: v.boolean(),
        announced: v.optional(v.boolean()),
      }),
    ),
    {},
  ),
  /** By local workspace: the port of the last run, so that attachment URLs stay valid. */
  ports: v.optional(v.record(v.string(), v.number()), {}),
})
export type Profile = v.InferOutput<typeof profileSchema>

export const SIGNED_OUT_PROFILE: Profile = {
  accounts: [],
  workspaces: {},
  installIds: {},
  updates: NO_UPDATE_MEMORY,
  windows: [],
  sharing: {},
  ports: {},
}
