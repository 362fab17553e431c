import type { AccountEntry, AccountList, Session } from '#shared/domain/session.ts'
import { linkWorkspace } from '#shared/rules/desktop/deep-link.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import type { AppState, Thunk } from './store.ts'
import { selectSession, selectSettings } from './selectors.ts'
import { perAccount } from './objects.ts'

const NONE: AccountList = { accounts: [] }

/** The accounts of this profile, in the order of the rail; empty in a window of one thread or one person. */
export const selectAccounts = (state: Pick<AppState, 'entities'>): AccountList =>
  state.entities.accounts['self'] ?? NONE

export const selectAccount = (state: AppState, key: string): AccountEntry | undefined =>
  selectAccounts(state).accounts.find((account) => account.key === key)

/** The rail is shown only for more than one account. */
export const selectHasRail = (state: AppState): boolean => selectAccounts(state).accounts.length > 1

/** The account after the current one, or before it, wrapping around. */
export function selectNeighbour(state: AppState, by: 1 | -1): AccountEntry | undefined {
  const { accounts, shown } = selectAccounts(state)
  const at = accounts.findIndex(({ key }) => key === shown)
  return accounts.length < 2 ? undefined : accounts[(at + by + accounts.length) % accounts.length]
}

/** The account that a deep link belongs to, unless it is the current one. */
export function selectAccountOfLink(state: AppState, workspace: string): AccountEntry | undefined {
  const here = selectSession(state).workspace
  if (here !== undefined && linkWorkspace(here) === workspace) return undefined
  return selectAccounts(state).accounts.find(({ link }) => link === workspace)
}

/** The key of the current account. When it changes, no data of the previous account may stay visible. */
export const accountKeyOf = ({ entities }: Pick<AppState, 'entities'>): string => accountOf(entities.session['self'])

export const accountOf = (session: Session | undefined): string =>
  session?.state === 'signed-in' ? (session.account ?? sidebarKey(session)) : ''

/** The last open channel of an account, by default the current one. */
export function selectLastChannel(state: AppState, account = accountKeyOf(state)): string | undefined {
  return selectSettings(state).lastChannels[account]
}

/** The number of mentions in the other accounts, without muted ones. */
export function selectForYouElsewhere(state: AppState): number {
  const { accounts, shown } = selectAccounts(state)
  return accounts.reduce((sum, { key, muted, mentions }) => sum + (key === shown || muted ? 0 : mentions), 0)
}

/** Work of one account that its engine must have before the window shows another account: sends, saves, copied files. */
export const UNFINISHED = perAccount(() => new Set<Promise<unknown>>())

/** A thunk that a switch of accounts waits for: its later calls and dispatches would reach the other account. */
export function finishedBeforeSwitch<Output>(thunk: Thunk<Promise<Output>>): Thunk<Promise<Output>> {
  return (dispatch, _getState, { objects }) => {
    const unfinished = objects.of(UNFINISHED)
    const work = dispatch(thunk)
    const end = (): void => void unfinished.delete(work)
    unfinished.add(work)
    work.then(end, end)
    return work
  }
}

/** Resolves once nothing of the account on screen is unfinished. */
export const allFinished =
  (): Thunk<Promise<void>> =>
  async (_dispatch, _getState, { objects }) => {
    const unfinished = objects.of(UNFINISHED)
    while (unfinished.size > 0) await Promise.allSettled(unfinished)
  }
