import { serveFile } from './files.ts'
import { serveGif } from './gifs.ts'
import { durationText } from './refusal.ts'
import { sendJson, type Special } from './server.ts'
import { receiveUpload, uploadTarget } from './uploads.ts'
import type { Services } from '../work.ts'

/** Paths whose bodies are bytes, not JSON. */
export function specialsFor(services: Services): readonly Special[] {
  return [
    serveGif,
    (incoming) => serveFile(incoming, services),
    async (incoming, identifyCaller) => {
      const target = uploadTarget(incoming)
      if (!target) return false
      const started = services.clock.monotonic()
      const reply = await receiveUpload(incoming, target, identifyCaller(), services)
      sendJson(incoming.response, services, 201, {
        ...reply,
        duration: durationText(services.clock.monotonic() - started),
      })
      return true
    },
  ]
}
