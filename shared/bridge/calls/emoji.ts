import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import { EMOJI_ALIASES, EMOJI_BYTES, EMOJI_NAME_LENGTH, EMOJI_TYPES } from '#shared/domain/emoji.ts'

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(EMOJI_NAME_LENGTH))
const aliases = v.pipe(v.array(name), v.maxLength(EMOJI_ALIASES + 1))

/**
 * Custom emoji of the workspace, if the server has them. They arrive as entities; changing them needs a connection. All
 * reject with `network/offline`, `server/not-allowed`, `emoji/not-here`, and for names with `emoji/form`,
 * `emoji/reserved` or `emoji/taken` (the parameter `name` is the name in question).
 */
export const emoji = {
  /** Adds one. Rejects also with `emoji/full`, and with `emoji/picture` if the server refuses the image. */
  add: call<void>()(
    v.object({
      name,
      aliases: v.optional(aliases, []),
      base64: v.pipe(v.string(), v.maxLength(Math.ceil(EMOJI_BYTES / 3) * 4 + 4), v.base64()),
      mimeType: v.picklist(EMOJI_TYPES),
    }),
  ),
  /** Changes the name and the aliases; the previous name becomes an alias. Rejects also with `emoji/gone`. */
  change: call<void>()(v.object({ name, to: name, aliases })),
  /** Texts that use it are unchanged. Rejects also with `emoji/gone`. */
  remove: call<void>()(v.object({ name })),
}
