import { AppError } from '#shared/lib/app-error.ts'
import type { EngineClient } from '#shared/bridge/index.ts'

/** What an object is created with. */
type Owner = {
  /** For an object of an account: refuses calls while the window shows another one. */
  readonly engine: EngineClient
  /** Key of the account on screen. */
  readonly account: string
}

/** A kind of object: created when it is first requested, once per account or once per window. */
export type Kind<T> = {
  readonly scope: 'account' | 'window'
  readonly create: (owner: Owner) => T
  /** Drops what the object has of other accounts than these. */
  retain?(object: T, accounts: ReadonlySet<string>): void
}

export const perAccount = <T>(create: (owner: Owner) => T, retain?: Kind<T>['retain']): Kind<T> => ({
  scope: 'account',
  create,
  ...(retain === undefined ? {} : { retain }),
})
export const perWindow = <T>(create: (owner: Owner) => T): Kind<T> => ({ scope: 'window', create })

const WINDOW = Symbol('window')

/**
 * What a window remembers that cannot be in the store: files, positions that change with every scrolled pixel, lists that
 * query the engine themselves. Each account has its own objects: a switch of accounts starts clean, and on return they are
 * as they were. They end with the account.
 */
export class WindowObjects {
  readonly #engine: EngineClient
  readonly #shown: () => string
  readonly #created = new Map<string | typeof WINDOW, Map<Kind<unknown>, unknown>>()

  /** @param shown the key of the account on screen */
  constructor(engine: EngineClient, shown: () => string) {
    this.#engine = engine
    this.#shown = shown
  }

  /** The object of this kind of the account on screen, or of the window. */
  of<T>(kind: Kind<T>): T {
    const account = this.#shown()
    const owner = kind.scope === 'window' ? WINDOW : account
    const own = this.#created.get(owner) ?? new Map<Kind<unknown>, unknown>()
    this.#created.set(owner, own)
    if (!own.has(kind)) own.set(kind, kind.create({ account, engine: this.#engineFor(kind, account) }))
    return own.get(kind) as T
  }

  /** The objects of an account that exist, by kind. */
  createdFor(account: string): ReadonlyMap<unknown, unknown> {
    return this.#created.get(account) ?? new Map()
  }

  /** Drops the objects of all other accounts, and what the remaining ones have of them. */
  retain(accounts: ReadonlySet<string>): void {
    for (const [owner, kinds] of this.#created) {
      if (owner !== WINDOW && !accounts.has(owner)) this.#created.delete(owner)
      else for (const [kind, object] of kinds) kind.retain?.(object, accounts)
    }
  }

  #engineFor(kind: Kind<unknown>, account: string): EngineClient {
    return kind.scope === 'window' ? this.#engine : engineWhile(this.#engine, () => this.#shown() === account)
  }
}

/** A late call of an object must not reach the engine of another account. */
function engineWhile(engine: EngineClient, isShown: () => boolean): EngineClient {
  const guarded = (target: object): object =>
    new Proxy(target, {
      get(area, name) {
        const value: unknown = Reflect.get(area, name)
        if (typeof value === 'function') {
          return (input: unknown): unknown =>
            isShown() ? Reflect.apply(value, area, [input]) : Promise.reject(new AppError('bridge/lost'))
        }
        return typeof value === 'object' && value !== null ? guarded(value) : value
      },
    })
  return guarded(engine) as EngineClient
}
