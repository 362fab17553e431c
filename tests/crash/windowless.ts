/**
 * A host without a window, for programs that are killed: this machine's disk and clock, and one user who calls as a page
 * does.
 */
import { contract } from '#shared/bridge/index.ts'
import { createDispatch, type Dispatch } from '#main/bridge/dispatch.ts'
import { systemClock } from '#main/lib/clock.ts'
import type { ClientWindow, Host } from '#main/hosts/host.ts'
import { confFile } from '#main/hosts/node/settings-file.ts'
import { nodePorts } from '#main/hosts/node/ports.ts'

export type Windowless = {
  readonly host: Host
  readonly dispatch: Dispatch
  /** A call as the page makes it. Throws its error code. */
  readonly call: (name: string, input?: unknown) => Promise<unknown>
}

/** @param onPush every push may mean that something was written or sent */
export function windowless(
  data: string,
  onPush: ClientWindow['push'],
  parts: Pick<Host, 'secrets'> & Partial<Pick<Host, 'ports' | 'network' | 'server'>>,
): Windowless {
  const dispatch = createDispatch({ contract, clock: systemClock, log: () => undefined })
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
    openSettingsFile: confFile,
    network: {
      set: () => undefined,
      setAuthorities: () => undefined,
      setClientCertificate: () => undefined,
      certificateAt: () => Promise.reject(new Error('There is no network here.')),
      ownAddresses: () => [],
      addresses: () => '',
      discovery: { announce: () => () => undefined, listen: () => () => undefined },
    },
    windows: {
      open: () => Promise.resolve(undefined),
      focus: () => undefined,
    },
    server: {
      start: () => Promise.reject(new Error('There is no local workspace here.')),
      run: () => Promise.reject(new Error('There is no local workspace here.')),
    },
    external: { open: () => Promise.resolve() },
    ...parts,
  }
  return {
    host,
    dispatch,
    call: async (name, input) => {
      const reply = await dispatch.call(window, name, input)
      if (!reply.ok) throw new Error(`${name}: ${reply.error.code}`)
      return reply.value
    },
  }
}
