import type { Duplex } from 'node:stream'
import * as v from 'valibot'
import { isSame } from '#shared/lib/same.ts'
import { JOIN_PATHS, type MovedAnswer } from '#shared/wire/sharing.ts'
import { sameProof } from '#main/lib/invitation-proof.ts'
import { deleteSetting, putSetting, settingOf } from '../admin/settings.ts'
import { refuse } from '../http/refusal.ts'
import { readJson, sendJson, type Incoming, type Special, callerOf } from '../http/server.ts'
import { read } from '../http/shapes.ts'
import type { Door } from '../network/door.ts'
import { transact, type Services } from '../work.ts'
import { announcementProof, movedNoteSchema, parseNote, signNote, type MovedNote } from './moved-note.ts'

const announceBody = v.object({
  note: v.pipe(v.string(), v.maxLength(20_000)),
  proof: v.pipe(v.string(), v.maxLength(100)),
})

type MovedOptions = {
  readonly services: Services
  /** The key of the certificate that people trust (PEM). */
  readonly key: string
  /** Whoever shows it has the workspace file. */
  readonly secret: string
}

/**
 * All that the port of the network does for a workspace that has moved: it takes the new address from the device that has
 * the workspace now, and tells it to people. Nothing else is served, so that nobody writes into the copy that stayed.
 */
export function movedWorkspace({ services, key, secret }: MovedOptions): Special {
  const calls: Readonly<Record<string, (body: object) => object>> = {
    [JOIN_PATHS.where]: (): MovedAnswer => {
      const note = storedNote(services)
      return { moved: true, ...(note && signNote(note, key)) }
    },
    [JOIN_PATHS.moved](body) {
      const { note, proof } = read(announceBody, body)
      if (!sameProof(proof, announcementProof(secret, note)))
        refuse('authentication', 'this is not the device that has the workspace', { moved: 'wrong' })
      const parsed = parseNote(note)
      if (!parsed) refuse('input', 'this is no new address', { moved: 'invalid' })
      keepNote(services, parsed)
      return {}
    },
  }

  async function respond({ request, response, url, count }: Incoming): Promise<void> {
    const userId = callerOf(request, services)
    count({ userId, role: 'anonymous', banned: false, server: false, expiresAtMs: undefined }, 'Moved')
    const call = request.method === 'POST' && Object.hasOwn(calls, url.pathname) ? calls[url.pathname] : undefined
    if (!call) refuse('doesNotExist', 'this workspace has moved to another device', { moved: 'yes' })
    sendJson(response, 200, call(await readJson(request, services)))
  }

  return (incoming) => ({ operation: 'Moved', run: () => respond(incoming) })
}

/** Nobody is connected to a workspace that has moved. */
export function withoutRealtime(door: Door): Door {
  door.http.removeAllListeners('upgrade')
  door.http.on('upgrade', (_request: unknown, socket: Duplex) => {
    socket.on('error', () => socket.destroy())
    socket.end('HTTP/1.1 410 Gone\r\nConnection: close\r\n\r\n')
  })
  return door
}

/** The workspace is here again: the address that was told is not its own any more. */
export function forgetNote(services: Services): void {
  transact(services, ({ db }) => void deleteSetting(db, 'moved', NOTE))
}

const NOTE = 'note'

function storedNote(services: Services): MovedNote | undefined {
  return transact(services, ({ db }) => {
    const row = settingOf(db, 'moved', NOTE)
    const parsed = row && v.safeParse(movedNoteSchema, JSON.parse(row.json))
    return parsed?.success === true ? parsed.output : undefined
  })
}

function keepNote(services: Services, note: MovedNote): void {
  if (isSame(storedNote(services), note)) return
  transact(services, ({ db, now }) => putSetting(db, 'moved', NOTE, note, now))
  services.log.info('moved-noted', { addresses: note.addresses.length })
}
