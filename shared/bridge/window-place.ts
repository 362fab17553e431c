import * as v from 'valibot'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { cid, messageId } from './schemas.ts'

/** What a window of its own shows, and nothing else: a channel, or one thread of it. */
export type WindowPlace = { readonly cid: Cid; readonly parentId?: MessageId | undefined }

export const windowPlace = v.object({ cid, parentId: v.optional(messageId) })

export const isSamePlace = (a: WindowPlace | undefined, b: WindowPlace | undefined): boolean =>
  a?.cid === b?.cid && a?.parentId === b?.parentId

/** The part of a page's address that says so; it holds no words and no names. */
export const placeQuery = ({ cid: channel, parentId }: WindowPlace): string =>
  parentId === undefined
    ? `?channel=${encodeURIComponent(channel)}`
    : `?thread=${encodeURIComponent(`${channel}/${parentId}`)}`

/** What an address asks for; `undefined` for the ordinary window, also where the address makes no sense. */
export function readPlaceQuery(query: string): WindowPlace | undefined {
  const [, kind, coded = ''] = /^\?(thread|channel)=([^&#]+)$/.exec(query) ?? []
  if (kind === undefined) return undefined
  try {
    const [place, parentId, ...rest] = decodeURIComponent(coded).split('/')
    const isWhole = rest.length === 0 && (parentId === undefined) === (kind === 'channel')
    const read = v.safeParse(windowPlace, { cid: place, ...(parentId === undefined ? {} : { parentId }) })
    return read.success && isWhole ? read.output : undefined
  } catch {
    // Not percent-encoding: no one of ours wrote it.
    return undefined
  }
}
