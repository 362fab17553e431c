import * as v from 'valibot'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { cid, messageId } from './schemas.ts'

/** A window that shows one thread and nothing else. */
export type ThreadWindow = { readonly cid: Cid; readonly parentId: MessageId }

const threadWindow = v.object({ cid, parentId: messageId })

/** The part of a page's address that says so; it holds no words and no names. */
export const threadQuery = ({ cid: place, parentId }: ThreadWindow): string =>
  `?thread=${encodeURIComponent(`${place}/${parentId}`)}`

/** What an address asks for; `undefined` for the ordinary window, also where the address makes no sense. */
export function readThreadQuery(query: string): ThreadWindow | undefined {
  const coded = /^\?thread=([^&#]+)$/.exec(query)?.[1]
  if (coded === undefined) return undefined
  try {
    const [place, parentId, ...rest] = decodeURIComponent(coded).split('/')
    const read = v.safeParse(threadWindow, { cid: place, parentId })
    return read.success && rest.length === 0 ? read.output : undefined
  } catch {
    // Not percent-encoding: nobody of ours wrote it.
    return undefined
  }
}
