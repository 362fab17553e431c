import { serveFile } from './files.ts'
import { serveGif } from './gifs.ts'
import { durationText } from './refusal.ts'
import { sendJson, type Incoming, type Special } from './server.ts'
import { receiveUpload, uploadTarget, type UploadTarget } from '../uploads/uploads.ts'
import type { Services } from '../work.ts'

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
