import { EventEmitter } from 'node:events'
import { app } from './app.ts'
import { record } from './record.ts'

export type SchemeHandler = (request: Request) => Promise<Response> | Response

/** Handlers are kept, so that a test can ask them: `session.handlers.setPermissionCheckHandler(…)`. */
export class Session extends EventEmitter {
  readonly partition: string
  readonly schemes = new Map<string, SchemeHandler>()
  readonly handlers: Record<string, unknown> = {}
  readonly protocol = {
    handle: (scheme: string, handler: SchemeHandler) => {
      record('protocol.handle', this.partition, scheme)
      this.schemes.set(scheme, handler)
    },
  }

  constructor(partition: string) {
    super()
    this.partition = partition
  }

  setPermissionRequestHandler(handler: unknown): void {
    this.#setHandler('setPermissionRequestHandler', handler)
  }
  setPermissionCheckHandler(handler: unknown): void {
    this.#setHandler('setPermissionCheckHandler', handler)
  }
  setDevicePermissionHandler(handler: unknown): void {
    this.#setHandler('setDevicePermissionHandler', handler)
  }
  setDisplayMediaRequestHandler(handler: unknown): void {
    this.#setHandler('setDisplayMediaRequestHandler', handler)
  }
  setUSBProtectedClassesHandler(handler: unknown): void {
    this.#setHandler('setUSBProtectedClassesHandler', handler)
  }
  setBluetoothPairingHandler(handler: unknown): void {
    this.#setHandler('setBluetoothPairingHandler', handler)
  }
  readonly availableSpellCheckerLanguages = ['en-GB', 'en-US', 'pl', 'ru']

  setSpellCheckerLanguages(languages: readonly string[]): void {
    record('session.setSpellCheckerLanguages', languages)
  }
  addWordToSpellCheckerDictionary(word: string): boolean {
    record('session.addWordToSpellCheckerDictionary', word)
    return true
  }
  setSpellCheckerEnabled(enabled: boolean): void {
    record('session.setSpellCheckerEnabled', enabled)
  }

  /** This system knows no proxy. */
  async resolveProxy(url: string): Promise<string> {
    record('session.resolveProxy', url)
    return 'DIRECT'
  }

  #setHandler(name: string, handler: unknown): void {
    record(`session.${name}`, handler === null ? null : 'function')
    this.handlers[name] = handler
  }
}

const sessions = new Map<string, Session>()

function fromPartition(partition: string): Session {
  const session = sessions.get(partition) ?? new Session(partition)
  sessions.set(partition, session)
  return session
}

export const sessionModule = {
  fromPartition,
  get defaultSession() {
    return fromPartition('')
  },
}

export const protocol = {
  registerSchemesAsPrivileged(schemes: unknown) {
    if (app.isReady()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
    record('protocol.registerSchemesAsPrivileged', schemes)
  },
}
