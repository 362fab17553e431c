import * as v from 'valibot'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Host } from '#main/hosts/host.ts'
import { logger } from '#main/lib/logger.ts'
import { readIdentity } from '#main/settings/client-certificate.ts'
import type { SettingsStore } from '#main/settings/store.ts'

const SECRET = 'client-certificate'
const storedSchema = v.object({ base64: v.string(), passphrase: v.string() })

type Place = Pick<Host, 'network' | 'secrets' | 'log'>

/** Called before any request. An unreadable certificate is logged, and the server reports that it is missing. */
export async function useIdentity(host: Place, store: SettingsStore): Promise<void> {
  const { identityHost } = store.profile()
  // A key store may have to be unlocked manually: it is read only if a certificate is stored.
  if (identityHost === undefined) return
  try {
    host.network.setClientCertificate(identityHost, (await readStored(host))?.identity)
  } catch (error) {
    logger('identity', host.log).error('unreadable', { reason: error instanceof AppError ? error.code : String(error) })
  }
}

async function readStored({ secrets }: Pick<Host, 'secrets'>) {
  const text = await secrets.get(SECRET)
  if (text === undefined) return undefined
  const { base64, passphrase } = v.parse(storedSchema, JSON.parse(text))
  return readIdentity(Buffer.from(base64, 'base64'), passphrase)
}

/** The host of a name or an address typed by the user. Throws `identity/host`. */
function hostOf(text: string): string {
  const written = text.trim()
  const url = URL.parse(written.includes('://') ? written : `https://${written}`)
  if (!url || url.protocol !== 'https:' || url.hostname === '') throw new AppError('identity/host')
  return url.hostname
}

type Calls = Pick<HandlersOf<'certificates', unknown>, 'own' | 'setOwn' | 'removeOwn'>

/** `reconnect`: requests that were rejected may be accepted now. */
export function identityCalls(host: Place, store: SettingsStore, reconnect: () => void): Calls {
  return {
    async own() {
      const { identityHost } = store.profile()
      const found = identityHost === undefined ? undefined : await readStored(host)
      return identityHost === undefined || !found ? {} : { certificate: { ...found.certificate, host: identityHost } }
    },
    async setOwn({ host: written, files, passphrase }) {
      const name = hostOf(written)
      const bytes = Buffer.concat(files.map((file) => Buffer.from(file, 'base64')))
      const { identity, certificate } = readIdentity(bytes, passphrase)
      await host.secrets.set(SECRET, JSON.stringify({ base64: bytes.toString('base64'), passphrase }))
      store.saveProfile({ identityHost: name })
      host.network.setClientCertificate(name, identity)
      reconnect()
      return { ...certificate, host: name }
    },
    async removeOwn() {
      const { identityHost = '' } = store.profile()
      await host.secrets.remove(SECRET)
      store.saveProfile({ identityHost: undefined })
      host.network.setClientCertificate(identityHost, undefined)
      reconnect()
    },
  }
}
