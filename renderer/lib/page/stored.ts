/** Every name that Parlor stores something under. */
const PREFIX = 'parlor.'
/** Texts that main may not have saved, of one window each. The account is in the value. */
export const BACKUP_PREFIX = `${PREFIX}kept.`

/** The name under which something of one account is stored on this device; so it is deleted with the account. */
export const nameFor = (name: string, account: string): string => (account === '' ? name : `${name}.${account}`)

/** Deletes what is stored for these accounts, in whatever part of the page. */
export function deleteStored(storage: Storage, accounts: readonly string[]): void {
  try {
    for (const name of Object.keys(storage).filter((each) => each.startsWith(PREFIX))) {
      const isOfThem = accounts.some((account) => name.endsWith(`.${account}`) || isBackupOf(storage, name, account))
      if (isOfThem) storage.removeItem(name)
    }
  } catch (reason) {
    // Local storage is blocked: nothing is stored in it.
    console.debug('stored data not deleted', reason)
  }
}

function isBackupOf(storage: Storage, name: string, account: string): boolean {
  if (!name.startsWith(BACKUP_PREFIX)) return false
  try {
    return (JSON.parse(storage.getItem(name) ?? '') as { readonly account?: unknown }).account === account
  } catch {
    // Damaged, so that no one can say whose it is.
    return true
  }
}
