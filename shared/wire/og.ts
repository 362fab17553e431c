import { endpoint, type None } from './endpoint.ts'
import type { WireAttachment } from './objects.ts'

/** Metadata of a page, at the top level of the response. See docs/wire.md 3.1 and 5.9 "OG ATTACHMENT". */
export const getOg = endpoint('GET', '/og', 'GetOG')<{ url: string }, None, WireAttachment>()
