import type { AccountHue } from '#shared/domain/account-list.ts'
import type { AccountRef, KeptAccount } from '#main/settings/profile.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import { accountKey } from './account.ts'

/** What the user may change of an account; an empty name restores the default. */
type AccountChange = {
  readonly name?: string
  readonly hue?: AccountHue
  readonly muted?: boolean
}

/** The accounts of this profile in the order of the rail, and which of them was shown last. On disk. */
export class AccountRepository {
  readonly #store: SettingsStore
  /** The account given on the command line: shown, and never stored. */
  readonly #asked: AccountRef | undefined
  #askedLeft = false
  #shown: AccountRef | undefined

  constructor(store: SettingsStore, asked?: AccountRef) {
    this.#store = store
    this.#asked = asked
    const { account, accounts } = store.profile()
    // An old profile from before there were several accounts contains one.
    if (account && accounts.length === 0) store.saveProfile({ accounts: [{ ref: account }] })
    this.#shown = asked ?? account ?? store.profile().accounts[0]?.ref
  }

  /** If an account was given on the command line, the others are left out: the caller wants that one only. */
  all(): readonly KeptAccount[] {
    if (!this.#asked) return this.#store.profile().accounts
    return [...(this.#askedLeft ? [] : [{ ref: this.#asked }]), ...this.#added]
  }

  /** Accounts added besides the one given on the command line. */
  get #added(): readonly KeptAccount[] {
    return this.#store.profile().accounts.filter(({ ref }) => this.#addedKeys.has(accountKey(ref)))
  }
  readonly #addedKeys = new Set<string>()

  find(key: string): KeptAccount | undefined {
    return this.all().find(({ ref }) => accountKey(ref) === key)
  }

  /** The account that new windows show. */
  get shown(): AccountRef | undefined {
    return this.#shown
  }

  show(ref: AccountRef): void {
    this.#shown = ref
    if (!this.#isAsked(ref)) this.#store.saveProfile({ account: ref, signedOut: false })
  }

  /** Adds an account at the end; an existing one keeps its position. */
  add(ref: AccountRef): void {
    const key = accountKey(ref)
    this.#addedKeys.add(key)
    const { accounts } = this.#store.profile()
    if (accounts.some((kept) => accountKey(kept.ref) === key) || this.#isAsked(ref)) return
    this.#store.saveProfile({ accounts: [...accounts, { ref }], signedOut: false })
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
    if (this.#asked && accountKey(this.#asked) === key) {
      this.#askedLeft = true
      return
    }
    this.#store.saveProfile({ accounts, account: this.#shown, signedOut: this.#shown === undefined })
  }

  change(key: string, { name, hue, muted }: AccountChange): void {
    this.#replace(
      this.#store.profile().accounts.map((kept) => {
        if (accountKey(kept.ref) !== key) return kept
        const { name: own, ...rest } = kept
        const named = name ?? own ?? ''
        return {
          ...rest,
          ...(named === '' ? {} : { name: named }),
          ...(hue === undefined ? {} : { hue }),
          ...(muted === undefined ? {} : { muted }),
        }
      }),
    )
  }

  /** Moves these to the front in this order; accounts that are not named follow in their old order. */
  arrange(keys: readonly string[]): void {
    const { accounts } = this.#store.profile()
    const rank = ({ ref }: KeptAccount): number => {
      const at = keys.indexOf(accountKey(ref))
      return at === -1 ? keys.length : at
    }
    this.#replace(accounts.toSorted((a, b) => rank(a) - rank(b)))
  }

  #replace(accounts: readonly KeptAccount[]): void {
    this.#store.saveProfile({ accounts: [...accounts] })
  }

  #isAsked(ref: AccountRef): boolean {
    return this.#asked !== undefined && accountKey(this.#asked) === accountKey(ref)
  }
}
