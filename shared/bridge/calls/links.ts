import * as v from 'valibot'
import type { LinkPreview } from '#shared/domain/link-preview.ts'
import { call } from '#shared/lib/contract.ts'

const url = v.pipe(v.string(), v.maxLength(2_048), v.regex(/^https?:\/\/[^\s/]+\.[^\s]+$/i))

/** Link previews. Only the server fetches the page; neither the window nor this device does. */
export const links = {
  /**
   * Requests a preview from the server, once per URL while the program runs. Rejects with `network/offline`, with
   * `link/no-preview` if the page has no metadata or is not allowed, and otherwise with the server's error.
   */
  preview: call<LinkPreview>()(v.object({ url })),
  /** Cancels the request: the preview is no longer needed. */
  stop: call<void>()(v.object({ url })),
}
