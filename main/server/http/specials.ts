import { serveFile } from '../uploads/serve-file.ts'
import { durationText, refuse } from './refusal.ts'
import { sendJson, type Incoming, type Special } from './server.ts'
import { receiveUpload, uploadTarget, type UploadTarget } from '../uploads/uploads.ts'
import type { Services } from '../work.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { drawGif } from '../commands/gif.ts'
import { GIF_PATH } from '../commands/giphy.ts'

/** Calls whose bodies are bytes, not JSON. */
export function specialsFor(services: Services): readonly Special[] {
  return [
    serveGif,
    (incoming) => serveFile(incoming, services),
    (incoming) => {
      const target = uploadTarget(incoming)
      return target && { operation: target.operation, run: () => upload(incoming, target, services) }
    },
  ]
}

async function upload(incoming: Incoming, target: UploadTarget, services: Services): Promise<void> {
  const started = services.clock.monotonic()
  const reply = await receiveUpload(incoming, target, incoming.admit(target.operation), services)
  sendJson(incoming.response, 201, { ...reply, duration: durationText(services.clock.monotonic() - started) })
}

const SEED = /^\/([a-f0-9]{12})\.gif$/

/** Draws the picture of a seed: nothing is stored, and it contains nothing secret. */
const serveGif: Special = ({ request, response, url }) => {
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
