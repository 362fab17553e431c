/**
 * A host without a window, for programs that are killed: this machine's disk, clock and network, and one user who calls
 * as a page does.
 */
import type { ClientWindow, Host } from '#main/hosts/host.ts'
import { nodePorts } from '#main/hosts/node/ports.ts'

type Call = Parameters<Host['windows']['onCall']>[0]

export type Windowless = {
  readonly host: Host
  /** A call as the page makes it. Throws its error code. */
  readonly call: (name: string, input?: unknown) => Promise<unknown>
}

/** @param onPush every push may mean that something was written or sent */
export function windowless(
  data: string,
  onPush: ClientWindow['push'],
  parts: Pick<Host, 'secrets'> & Partial<Pick<Host, 'ports'>>,
): Windowless {
  let answer: Call = () => Promise.reject(new Error('Nobody answers yet.'))
  const window: ClientWindow = { id: 'w1', push: onPush }
  const host: Host = {
    info: {
      kind: 'browser',
      os: 'linux',
      version: '0.0.0',
      titleBar: 'none',
      capabilities: { nativeNotifications: false, badge: false, tray: false, severalWindows: false, files: false },
    },
    paths: { data, renderer: data, resources: data, notices: '' },
    log: () => undefined,
    ports: nodePorts(() => undefined),
    network: {
      set: () => undefined,
      setAuthorities: () => undefined,
      setClientCertificate: () => undefined,
      addresses: () => '',
    },
    windows: {
      onCall: (handler) => (answer = handler),
      onClosed: () => undefined,
      open: () => Promise.resolve(undefined),
      focus: () => undefined,
    },
    server: { start: () => Promise.reject(new Error('There is no local workspace here.')) },
    media: { serve: () => undefined },
    external: { open: () => Promise.resolve() },
    ...parts,
  }
  return {
    host,
    call: async (name, input) => {
      const reply = await answer(window, name, input)
      if (!reply.ok) throw new Error(`${name}: ${reply.error.code}`)
      return reply.value
    },
  }
}
