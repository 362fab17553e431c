import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { protocol, type Session } from 'electron'
import { resolveMediaUrl } from '#shared/bridge/media-url.ts'
import type { MediaFile } from '../host.ts'
import { mimeTypeOf, resolveAppUrl, type Manifest } from '../rules/pages/app-url.ts'
import { commonHeaders, pageHeaders, mediaAnswer } from '../rules/pages/headers.ts'

/** Before `ready`: our two schemes. `media:` bytes are for elements only, never for `fetch`. */
export function registerSchemes(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: 'app',
      privileges: {
        standard: true,
        secure: true,
        supportFetchAPI: true,
        corsEnabled: true,
        codeCache: true,
        stream: true,
      },
    },
    { scheme: 'media', privileges: { standard: true, secure: true, stream: true } },
  ])
}

type ProtocolOptions = {
  readonly rendererFolder: string
  readonly manifest: Manifest
  readonly findMedia: (ref: string, variant: 'full' | 'thumb') => Promise<MediaFile | undefined>
}

/** Built files under `app://main/`, media by entity id under `media:`; everything else is 404. */
export function serveSchemes(session: Session, options: ProtocolOptions): void {
  session.protocol.handle('app', (request) => answerApp(request, options))
  session.protocol.handle('media', (request) => answerMedia(request, options))
}

async function answerApp(request: Request, options: ProtocolOptions): Promise<Response> {
  const found = resolveAppUrl(request.method, request.url, options.manifest)
  if ('status' in found) return empty(found.status)
  const bytes = await readFile(join(options.rendererFolder, found.file))
  return new Response(request.method === 'HEAD' ? null : bytes, {
    headers: {
      ...pageHeaders({ host: 'electron' }, found.file.endsWith('.html')),
      'Content-Type': mimeTypeOf(found.file),
    },
  })
}

async function answerMedia(request: Request, options: ProtocolOptions): Promise<Response> {
  const wanted = resolveMediaUrl(request.method, request.url)
  if (!wanted) return empty(404)
  const file = await options.findMedia(wanted.ref, wanted.variant)
  const { status, headers, range } = mediaAnswer(file, request.headers.get('range'))
  const body =
    file && range && request.method === 'GET'
      ? (Readable.toWeb(createReadStream(file.path, range)) as ReadableStream)
      : null
  return new Response(body, { status, headers })
}

const empty = (status: number): Response => new Response(null, { status, headers: commonHeaders() })
