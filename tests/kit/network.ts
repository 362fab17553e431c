import { X509Certificate } from 'node:crypto'
import { request as httpsRequest } from 'node:https'
import { connect, type TLSSocket } from 'node:tls'

/** A stranger on the network: requests to a shared port, on one connection each, trusting any certificate. */
export type NetworkAnswer = { readonly status: number; readonly body: Record<string, unknown> }

type NetworkRequest = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Sends from this address of loopback. */
  readonly from?: string
}

export function askNetwork(
  { address, port }: { readonly address: string; readonly port: number },
  path: string,
  { method = 'POST', headers = {}, body, from }: NetworkRequest = {},
): Promise<NetworkAnswer> {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      {
        host: address,
        port,
        path,
        method,
        agent: false,
        rejectUnauthorized: false,
        localAddress: from,
        headers: text === '' ? headers : { 'content-type': 'application/json', ...headers },
      },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(parts).toString() || '{}') }),
        )
      },
    )
    request.on('error', reject)
    request.end(text)
  })
}

/** Connects and returns the certificate that answers. */
export function certificateAt(address: string, port: number): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ host: address, port, rejectUnauthorized: false }, () => {
      const certificate = socket.getPeerX509Certificate()
      socket.destroy()
      if (certificate) resolve(certificate)
      else reject(new Error('no certificate'))
    })
    socket.once('error', reject)
  })
}
