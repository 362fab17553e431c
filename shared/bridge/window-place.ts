import { asCid, asMessageId, type Cid, type MessageId, isCid, isMessageId } from '#shared/lib/brand.ts'

/** What a single-place window shows: a channel, or one thread of it. */
export type WindowPlace = { readonly cid: Cid; readonly parentId?: MessageId }

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
    if (rest.length > 0 || (parentId === undefined) !== (kind === 'channel')) return undefined
    if (place === undefined || !isCid(place)) return undefined
    if (parentId === undefined) return { cid: asCid(place) }
    return isMessageId(parentId) ? { cid: asCid(place), parentId: asMessageId(parentId) } : undefined
  } catch {
    // Not percent-encoded: not one of our queries.
    return undefined
  }
}
