import { drawGif } from '../commands/gif.ts'
import { GIF_PATH } from '../commands/giphy.ts'
import { refuse } from './refusal.ts'
import type { Incoming } from './server.ts'

const SEED = /^\/([a-f0-9]{12})\.gif$/

/** Draws the picture of a seed: nothing is stored, and nothing secret is in it. */
export function serveGif({ request, response, url }: Incoming): boolean {
  if (!url.pathname.startsWith(`${GIF_PATH}/`) || (request.method !== 'GET' && request.method !== 'HEAD')) return false
  const seed = SEED.exec(url.pathname.slice(GIF_PATH.length))?.[1] ?? refuse('doesNotExist', 'there is no such file')
  const bytes = drawGif(seed)
  response.writeHead(200, {
    'Content-Type': 'image/gif',
    'Content-Length': bytes.length,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-site',
    'Cache-Control': 'private, max-age=31536000, immutable',
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
  return true
}
