import type { SmallPicture } from '#shared/bridge/schemas.ts'
import { isSame } from '#shared/lib/same.ts'
import type { AccountHue } from '#shared/domain/session.ts'
import type { AccountRef, StoredAccount } from '#main/settings/profile.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import { accountKey } from './account.ts'

/** What the user may change of an account; an empty name restores the default. */
export type AccountChange = {
  /** `null` removes it. */
  readonly icon?: SmallPicture | null | undefined
  readonly name?: string
  readonly hue?: AccountHue
  readonly muted?: boolean
}

/** The accounts of this profile in the order of the rail, and which of them was shown last. On disk. */
export class AccountRepository {
  readonly #store: SettingsStore
  /** The account given on the command line: shown, and never stored. */
  readonly #given: AccountRef | undefined
  #isGivenRemoved = false
  #shown: AccountRef | undefined

  constructor(store: SettingsStore, given?: AccountRef) {
    this.#store = store
    this.#given = given
    const { account, accounts } = store.profile()
    // An old profile from before there were several accounts contains one.
    if (account && accounts.length === 0) store.saveProfile({ accounts: [{ ref: account }] })
    this.#shown = given ?? account ?? store.profile().accounts[0]?.ref
  }

  /** If an account was given on the command line, the others are left out: the caller wants that one only. */
  all(): readonly StoredAccount[] {
    if (!this.#given) return this.#store.profile().accounts
    return [...(this.#isGivenRemoved ? [] : [{ ref: this.#given }]), ...this.#added]
  }

  /** Accounts added besides the one given on the command line. */
  get #added(): readonly StoredAccount[] {
    return this.#store.profile().accounts.filter(({ ref }) => this.#addedKeys.has(accountKey(ref)))
  }
  readonly #addedKeys = new Set<string>()

  find(key: string): StoredAccount | undefined {
    return this.all().find(({ ref }) => accountKey(ref) === key)
  }

  /** The account that new windows show. */
  get shown(): AccountRef | undefined {
    return this.#shown
  }

  show(ref: AccountRef): void {
    this.#shown = ref
    if (!this.#isGiven(ref)) this.#store.saveProfile({ account: ref })
  }

  /** Adds an account at the end; an existing one keeps its position, and gets the address of this one. */
  add(ref: AccountRef, serverName?: string): void {
    const key = accountKey(ref)
    this.#addedKeys.add(key)
    const { accounts } = this.#store.profile()
    if (this.#isGiven(ref)) return
    if (accounts.some((stored) => accountKey(stored.ref) === key)) {
      return this.#replace(accounts.map((stored) => (accountKey(stored.ref) === key ? { ...stored, ref } : stored)))
    }
    this.#store.saveProfile({ accounts: [...accounts, { ref, serverName }] })
  }

  /**
   * Signs out. The next account is shown from now on; after the last one the profile asks for a sign-in at its next
   * start.
   */
  remove(key: string): void {
    const before = this.all()
    const at = before.findIndex(({ ref }) => accountKey(ref) === key)
    const neighbour = before[at + 1]?.ref ?? before[at - 1]?.ref
    const accounts = this.#store.profile().accounts.filter(({ ref }) => accountKey(ref) !== key)
    this.#addedKeys.delete(key)
    if (this.#shown && accountKey(this.#shown) === key) this.#shown = neighbour
    if (this.#given && accountKey(this.#given) === key) {
      this.#isGivenRemoved = true
      return
    }
    this.#store.saveProfile({ accounts, account: this.#shown })
  }

  change(key: string, { name, icon, hue, muted }: AccountChange): void {
    this.#replace(
      this.#store.profile().accounts.map((stored) => {
        if (accountKey(stored.ref) !== key) return stored
        const { name: own, icon: before, ...rest } = stored
        const chosen = icon === undefined ? before : (icon ?? undefined)
        const named = name ?? own ?? ''
        return {
          ...rest,
          ...(named === '' ? {} : { name: named }),
          ...(chosen === undefined ? {} : { icon: chosen }),
          ...(hue === undefined ? {} : { hue }),
          ...(muted === undefined ? {} : { muted }),
        }
      }),
    )
  }

  /**
   * Stores what the server of an account says of its workspace. Returns whether that is new. A name from an invitation
   * stays as long as the server has none.
   */
  describeServer(key: string, seen: Pick<StoredAccount, 'serverName' | 'serverIcon'>): boolean {
    const { accounts } = this.#store.profile()
    const before = accounts.find(({ ref }) => accountKey(ref) === key)
    if (!before) return false
    const after = { ...before, ...seen, serverName: seen.serverName ?? before.serverName }
    if (isSame(before, after)) return false
    this.#replace(accounts.map((stored) => (stored === before ? after : stored)))
    return true
  }

  /** Moves these to the front in this order; accounts that are not named follow in their old order. */
  arrange(keys: readonly string[]): void {
    const { accounts } = this.#store.profile()
    const rank = ({ ref }: StoredAccount): number => {
      const at = keys.indexOf(accountKey(ref))
      return at === -1 ? keys.length : at
    }
    this.#replace(accounts.toSorted((a, b) => rank(a) - rank(b)))
  }

  #replace(accounts: readonly StoredAccount[]): void {
    this.#store.saveProfile({ accounts: [...accounts] })
  }

  #isGiven(ref: AccountRef): boolean {
    return this.#given !== undefined && accountKey(this.#given) === accountKey(ref)
  }
}
