import { createToken } from '../http/auth/identify.ts'
import { NotDone } from '../store/backup.ts'

type Running = { readonly port: number; readonly secret: string; readonly apiKey: string }

/**
 * Adds a person to the running server, which lets in only people it knows from the network. Someone it knows stays as
 * they are.
 */
export async function createPerson(id: string, { port, secret, apiKey }: Running): Promise<void> {
  const url = new URL(`http://127.0.0.1:${port}/users`)
  url.searchParams.set('api_key', apiKey)
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: createToken({}, secret), 'stream-auth-type': 'jwt', 'Content-Type': 'application/json' },
    body: JSON.stringify({ users: { [id]: { id } } }),
  }).catch(() => {
    throw new NotDone(`No server answers on port ${port} of this device. Start it, or give the port that it uses.`)
  })
  await response.text()
  if (!response.ok) {
    throw new NotDone(
      response.status === 401
        ? `The server on port ${port} is not the one of this folder: it refused its keys.`
        : `The server on port ${port} refused to add ${id} (${response.status}).`,
    )
  }
}
