import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { endOfTurn } from '#main/lib/clock.ts'
import { addressOf, Limits, type CallLimits } from '../http/limits.ts'
import { createRouter } from '../http/router.ts'
import { createHttpServer, type Special, plainAddress, type Proxies } from '../http/server.ts'
import { specialsFor } from '../http/specials.ts'
import { acceptSockets, type Realtime } from '../realtime/connect.ts'
import { longpoll, type Longpoll } from '../realtime/longpoll.ts'
import { routes } from '../routes.ts'
import { createGroupCommit } from '../store/group-commit.ts'
import type { Services } from '../work.ts'

/** A listener that strangers of a network reach. */
export type Door = { readonly http: Server; readonly realtime: Realtime; readonly polls: Longpoll }

type DoorOptions = {
  readonly services: Services
  /** The hosts under which a request may call. */
  readonly hosts: Pick<ReadonlySet<string>, 'has'>
  readonly limits: CallLimits
  /** Certificate and key (PEM); absent only where a proxy before it has them. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** The only addresses that may connect, and whose word about the caller's address is taken. */
  readonly proxies?: Proxies
  readonly sockets: SocketLimits
  readonly specials?: (services: Services) => readonly Special[]
  /** Someone is connected, until the returned function is called. */
  readonly onArrived?: (userId: string, address: string) => () => void
}

/** Sockets of one address, and of all, before anything is known of them. */
type SocketLimits = { readonly perAddress: number; readonly total: number }

/** Every route of the server, with what protects it from strangers. It does not listen yet. */
export function createDoor(options: DoorOptions): Door {
  const { hosts, limits, tls, proxies, sockets, onArrived = () => () => undefined } = options
  const services: Services = {
    ...options.services,
    door: { hosts, ...(proxies && { proxies }) },
    limits: new Limits(options.services.clock, limits),
  }
  const polls = longpoll(services, onArrived)
  const http = createHttpServer({
    services,
    groupCommit: createGroupCommit(services, endOfTurn),
    find: createRouter(routes),
    specials: [...(options.specials?.(services) ?? []), ...specialsFor(services), polls.special],
    allowedOrigins: new Set(),
    ...(tls && { tls }),
  })
  limitSockets(http, sockets, proxies)
  const realtime = acceptSockets(http, services, new Set(), (userId, webSocket, from) =>
    webSocket.once('close', onArrived(userId, from)),
  )
  return { http, realtime, polls }
}

/** @returns the port, which differs from the given one if that is 0 */
export function listenAt(http: Server, address: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, address, () => {
      http.off('error', reject)
      resolve((http.address() as AddressInfo).port)
    })
  })
}

/** Connections cost something before their first byte: one address cannot take them all. */
function limitSockets(http: Server, { perAddress, total }: SocketLimits, proxies: Proxies | undefined): void {
  const open = new Map<string, number>()
  http.maxConnections = total
  http.on('connection', (socket: Socket) => {
    if (proxies) {
      // What comes past the proxy is not encrypted.
      if (!proxies.has(plainAddress(socket.remoteAddress))) socket.destroy()
      return
    }
    const address = addressOf(socket.remoteAddress)
    const count = open.get(address) ?? 0
    if (count >= perAddress) return void socket.destroy()
    open.set(address, count + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
  http.on('tlsClientError', (_error: Error, socket: Socket) => socket.destroy())
}
