import * as v from 'valibot'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { cid, messageId } from './schemas.ts'

/** What a single-place window shows: a channel, or one thread of it. */
export type WindowPlace = { readonly cid: Cid; readonly parentId?: MessageId }

export const windowPlace = v.object({ cid, parentId: v.optional(messageId) })

export const isSamePlace = (a: WindowPlace | undefined, b: WindowPlace | undefined): boolean =>
  a?.cid === b?.cid && a?.parentId === b?.parentId

/** The query of the page's URL for a place; it contains no names. */
export const placeQuery = ({ cid: channel, parentId }: WindowPlace): string =>
  parentId === undefined
    ? `?channel=${encodeURIComponent(channel)}`
    : `?thread=${encodeURIComponent(`${channel}/${parentId}`)}`

/** The place in a query; `undefined` for the ordinary window, also if the query is malformed. */
export function readPlaceQuery(query: string): WindowPlace | undefined {
  const [, kind, coded = ''] = /^\?(thread|channel)=([^&#]+)$/.exec(query) ?? []
  if (kind === undefined) return undefined
  try {
    const [place, parentId, ...rest] = decodeURIComponent(coded).split('/')
    const isWhole = rest.length === 0 && (parentId === undefined) === (kind === 'channel')
    const read = v.safeParse(windowPlace, { cid: place, ...(parentId === undefined ? {} : { parentId }) })
    return read.success && isWhole ? read.output : undefined
  } catch {
    // Not percent-encoded: not one of our queries.
    return undefined
  }
}
