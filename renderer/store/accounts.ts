import type { AccountEntry, AccountList } from '#shared/domain/account-list.ts'
import { linkWorkspace } from '#shared/rules/desktop/deep-link.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import type { AppState } from './store.ts'
import { selectSession, selectSettings } from './selectors.ts'

const NONE: AccountList = { accounts: [] }

/** The accounts of this profile, in the order of the rail; none in a window that shows one thread, or one person. */
export const selectAccounts = (state: Pick<AppState, 'entities'>): AccountList =>
  state.entities.accounts['self'] ?? NONE

export const selectAccount = (state: AppState, key: string): AccountEntry | undefined =>
  selectAccounts(state).accounts.find((account) => account.key === key)

/** A rail is for more than one. */
export const selectHasRail = (state: AppState): boolean => selectAccounts(state).accounts.length > 1

/** The account behind the one that is shown, or before it, around the ends. */
export function selectNeighbour(state: AppState, by: 1 | -1): AccountEntry | undefined {
  const { accounts, shown } = selectAccounts(state)
  const at = accounts.findIndex(({ key }) => key === shown)
  return accounts.length < 2 ? undefined : accounts[(at + by + accounts.length) % accounts.length]
}

/** The account a link into Parlor means, where it is not the one that is shown. */
export function selectAccountOfLink(state: AppState, workspace: string): AccountEntry | undefined {
  const here = selectSession(state).workspace
  if (here !== undefined && linkWorkspace(here) === workspace) return undefined
  return selectAccounts(state).accounts.find(({ link }) => link === workspace)
}

/** Who is shown, and where: another answer means that nothing of before may be seen. */
export function whoOf({ entities }: Pick<AppState, 'entities'>): string {
  const session = entities.session['self']
  if (session?.state !== 'signed-in') return ''
  return session.account ?? sidebarKey(session)
}

/** The channel that was open last in the account that is shown, or in one that is gone to. */
export function selectLastChannel(state: AppState, account = whoOf(state)): string | undefined {
  return selectSettings(state).lastChannels[account]
}

/** What is meant for the viewer in the accounts that this window does not show, but for muted ones. */
export function selectForYouElsewhere(state: AppState): number {
  const { accounts, shown } = selectAccounts(state)
  return accounts.reduce((sum, { key, muted, mentions }) => sum + (key === shown || muted ? 0 : mentions), 0)
}
