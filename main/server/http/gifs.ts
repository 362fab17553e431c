import type { IncomingMessage, ServerResponse } from 'node:http'
import { drawGif } from '../commands/gif.ts'
import { GIF_PATH } from '../commands/giphy.ts'
import { refuse } from './refusal.ts'
import type { Special } from './server.ts'

const SEED = /^\/([a-f0-9]{12})\.gif$/

/** Draws the picture of a seed: nothing is stored, and it contains nothing secret. */
export const serveGif: Special = ({ request, response, url }) => {
  if (!url.pathname.startsWith(`${GIF_PATH}/`) || (request.method !== 'GET' && request.method !== 'HEAD')) {
    return undefined
  }
  return { operation: 'GetGif', run: () => send(url.pathname.slice(GIF_PATH.length), request, response) }
}

function send(path: string, request: IncomingMessage, response: ServerResponse): void {
  const seed = SEED.exec(path)?.[1] ?? refuse('doesNotExist', 'there is no such file')
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
}
