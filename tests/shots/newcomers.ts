import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { askNetwork } from '#kit/network.ts'
import { createCertificate } from '#main/app/local-workspace/local-workspace.ts'
import type { Stop } from '#main/lib/clock.ts'
import { multicastDiscovery, ownAddresses } from '#main/hosts/node/discovery.ts'
import { fingerprintOf, invitationKey, invitationProof } from '#main/lib/secrets.ts'
import { hostileHost } from '../flow/sharing/hostile-host.ts'
import { invitationLink, readInvitation } from '#shared/rules/server/invitation.ts'

/** People and devices on the other end of an invitation. */

/** Asks to join under each of these names, as someone who followed the link does. */
export async function askToJoin(link: string, names: readonly string[]): Promise<void> {
  const invitation = readInvitation(link)
  if (typeof invitation === 'string') throw new Error(`${link} is ${invitation}`)
  const { addresses, port, secret } = invitation
  const { id } = await invitationKey(secret)
  for (const [at, name] of names.entries()) {
    const body = { id, secret, name, request: `${at}${'r'.repeat(22)}`.slice(0, 22) }
    await askNetwork({ address: addresses[0] ?? '', port }, '/join/ask', { body })
  }
}

/** Announces workspaces on the network of this device, until {@link endAnnouncing}. */
export function announceWorkspaces(): void {
  if (announced.length > 0) return
  const addresses = ownAddresses(networkInterfaces())
  const each = [
    ['Cairn Maps', 'Ola Wiśniewska'],
    ['Редакция «Северный ветер» и все её корреспонденты', 'Айгүл Сейтқали'],
    ['Kitchen table', 'Marek Duda'],
  ] as const
  for (const [at, [name, owner]] of each.entries()) {
    const fingerprint = `${at}`.repeat(43)
    const announcement = { name, owner, addresses, port: 7_443 + at, fingerprint }
    announced.push(multicastDiscovery().announce(announcement, () => undefined))
  }
}
const announced: Stop[] = []

/** The link of a device that answers as said. `other`: its certificate is not the one that the link names. */
export async function oddLink(
  answers: Parameters<typeof hostileHost>[0],
  { other = false }: { readonly other?: boolean } = {},
): Promise<string> {
  const host = await hostileHost(answers)
  announced.push(() => host.dispose())
  return other ? host.link.replace(/[\w-]{43}(?=\.)/u, 'A'.repeat(43)) : host.link
}

/** Another program has the ports that sharing would use first, until {@link endAnnouncing}. */
export async function takePort(port: number): Promise<void> {
  const server = createTcpServer()
  announced.push(() => void server.close())
  await new Promise<void>((resolve) => server.once('error', () => resolve()).listen(port, '0.0.0.0', resolve))
}

export function endAnnouncing(): void {
  for (const stop of announced) stop()
}

const SECRET = 'x'.repeat(22)
let host: Promise<string> | undefined

/** The link of a device that lets everyone wait. It runs until the program ends. */
export function hostLink(): Promise<string> {
  return (host ??= startHost())
}

async function startHost(): Promise<string> {
  const { cert, key } = await createCertificate(Date.now())
  const { key: proofKey } = await invitationKey(SECRET)
  const server = createServer({ cert, key }, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { nonce = '' } = JSON.parse(Buffer.concat(parts).toString() || '{}') as { nonce?: string }
      const proof = invitationProof(proofKey, nonce, fingerprintOf(cert))
      const hello = {
        version: 1,
        proof,
        workspace: 'Cairn Maps',
        owner: 'Ola Wiśniewska',
        role: 'guest',
        approve: true,
      }
      response.end(JSON.stringify(request.url === '/join/hello' ? { ...hello, api_key: 'k' } : { state: 'waiting' }))
    })
  })
  server.unref()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return invitationLink({ addresses: ['127.0.0.1'], port, secret: SECRET, fingerprint: fingerprintOf(cert) })
}
