import type accounts from '../../../resources/locales/en/accounts.json'
import { part } from '../../lib/page/part.tsx'
import { defineFeature, type ActionContext } from '../../registry/feature.ts'
import { selectAccounts, selectHasRail, selectNeighbour } from '../../store/accounts.ts'
import { addAccountOpened } from '../../store/window/ui.ts'
import { Rail } from './AccountRail.tsx'
import { goToAccount } from './commands.ts'

declare module '../../store/window/kinds.ts' {
  interface Dialogs {
    /** Name and color of an account. */
    account: { readonly account: string }
    /** A new token for an account whose token is no longer valid. */
    renew: { readonly account: string }
  }
  interface Actions {
    nextAccount: void
    previousAccount: void
    accountAt: void
    addAccount: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    accounts: typeof accounts
  }
}

/** Accounts of the rail with a shortcut. The higher digits are used for lists and quotes. */
const ACCOUNT_PLACES = [1, 2, 3, 4, 5, 6] as const

const stepAccount =
  (by: 1 | -1) =>
  ({ dispatch, getState }: ActionContext): void => {
    const next = selectNeighbour(getState(), by)
    if (next !== undefined) dispatch(goToAccount(next.key))
  }

export const accountsFeature = defineFeature({
  localeAreas: ['accounts'],
  dialogs: {
    account: part(async () => (await import('./AccountDialog.tsx')).AccountDialog),
    renew: part(async () => (await import('./AccountDialog.tsx')).RenewDialog),
  },
  actions: {
    nextAccount: { chords: ['Ctrl+Tab'], group: 'window', order: 330, offered: selectHasRail, run: stepAccount(1) },
    previousAccount: {
      chords: ['Ctrl+Shift+Tab'],
      group: 'window',
      order: 340,
      offered: selectHasRail,
      run: stepAccount(-1),
    },
    accountAt: {
      // On macOS Cmd+Shift+3 to 5 take screenshots.
      chords: ACCOUNT_PLACES.map((place) => `Mod+Shift+${place}`),
      macChords: ACCOUNT_PLACES.map((place) => `Ctrl+${place}`),
      group: 'window',
      order: 350,
      // The quick switcher has a row for each account instead.
      offered: () => false,
      run({ dispatch, getState }, at) {
        const account = at === undefined ? undefined : selectAccounts(getState()).accounts[at]
        if (account !== undefined) dispatch(goToAccount(account.key))
      },
    },
    addAccount: { chords: [], group: 'window', order: 360, run: ({ dispatch }) => void dispatch(addAccountOpened()) },
  },
  ready: (state) => (selectHasRail(state) ? Rail.ready() : undefined),
})
