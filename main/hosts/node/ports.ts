import { systemClock } from '#main/lib/clock.ts'
import { systemIds } from '#main/lib/ids.ts'
import type { LogSink } from '#main/lib/logger.ts'
import type { Ports } from '#main/engine/ports.ts'
import { nodeFiles } from './files-port.ts'
import { nodeHttp } from './http-port.ts'
import type { Proxies } from './proxies.ts'
import { nodeSockets } from './socket-port.ts'

/** The real ports: this machine's clock, random numbers, network and disk. */
export function nodePorts(log: LogSink, proxies?: Proxies): Ports {
  return {
    clock: systemClock,
    ids: systemIds,
    http: nodeHttp(proxies),
    sockets: nodeSockets(proxies),
    files: nodeFiles(),
    log,
  }
}
