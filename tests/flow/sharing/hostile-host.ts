import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createCertificate } from '#main/app/local-workspace/local-workspace.ts'
import { fingerprintOf, invitationKey, invitationProof } from '#main/lib/secrets.ts'
import { invitationLink } from '#shared/rules/server/invitation.ts'

/** A device that made its invitation itself, proves it, and then answers with whatever it likes. */

const SECRET = 'x'.repeat(22)

export type HostileHost = {
  readonly link: string
  readonly port: number
  /** Paths that were asked for, in order. */
  readonly asked: string[]
  dispose(): void
}

type Answers = {
  /** Fields of the greeting that differ from those of an honest host. */
  readonly hello?: object
  /** What a request to join, and a question for its answer, gets. */
  readonly answer?: object
  /** What a question for the answer gets instead. */
  readonly later?: object
  /** Fields with which it refuses to greet. */
  readonly refusal?: Readonly<Record<string, string>>
  /** The time at which its certificate was made, by its own clock. */
  readonly madeAt?: number
}

export async function hostileHost(answers: Answers): Promise<HostileHost> {
  const { hello = {}, answer = { state: 'waiting' }, later = answer, refusal, madeAt = Date.now() } = answers
  const address = '127.0.0.7'
  const { cert, key } = await createCertificate(madeAt)
  const { key: proofKey } = await invitationKey(SECRET)
  const asked: string[] = []
  const server: Server = createServer({ cert, key }, (request, response) => {
    asked.push(request.url ?? '')
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      if (refusal) {
        response.statusCode = 400
        return void response.end(JSON.stringify({ exception_fields: refusal }))
      }
      const { nonce = '' } = JSON.parse(Buffer.concat(parts).toString() || '{}') as { nonce?: string }
      const proof = invitationProof(proofKey, nonce, fingerprintOf(cert))
      const greeting = {
        version: 1,
        proof,
        workspace: 'Studio',
        owner: 'Eve',
        role: 'user',
        approve: false,
        api_key: 'k',
      }
      const given = request.url === '/join/ask' ? answer : later
      response.end(JSON.stringify(request.url === '/join/hello' ? { ...greeting, ...hello } : given))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    link: invitationLink({ addresses: [address], port, secret: SECRET, fingerprint: fingerprintOf(cert) }),
    asked,
    dispose() {
      server.close()
      server.closeAllConnections()
    },
  }
}
