import * as v from 'valibot'
import type { LinkPreview } from '#shared/domain/link-preview.ts'
import { call } from '#shared/lib/contract.ts'

const url = v.pipe(v.string(), v.maxLength(2_048), v.regex(/^https?:\/\/[^\s/]+\.[^\s]+$/i))

/** What stands behind a link. Only the server looks; neither the window nor this computer asks the page. */
export const links = {
  /**
   * Asks the server about a link, once per address while the program runs. Rejects with `network/offline`, with
   * `link/no-preview` when the page says nothing of itself or may not be looked at, and with what the server said else.
   */
  preview: call<LinkPreview>()(v.object({ url })),
  /** No one waits for this link any more. */
  stop: call<void>()(v.object({ url })),
}
