import type { SavedSearch } from '#shared/domain/search.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { command } from '../../../store/command.ts'
import { selectSession, selectSettings } from '../../../store/selectors.ts'
import type { AppDispatch, AppState, Thunk } from '../../../store/store.ts'
import { searchOpened } from '../../../store/window/ui.ts'

const NONE: readonly SavedSearch[] = []

/** The user's saved searches in this workspace, in their order. */
export const selectSavedSearches = (state: AppState): readonly SavedSearch[] =>
  selectSettings(state).savedSearches[sidebarKey(selectSession(state))] ?? NONE

const writeSearches = command('search/savedSearchesChanged', (savedSearches: Settings['savedSearches'], engine) =>
  engine.settings.update({ savedSearches }),
)

/** Changes the user's saved searches in this workspace. Resolves to whether the change is on disk. */
export const changeSaved =
  (change: (searches: readonly SavedSearch[]) => readonly SavedSearch[]): Thunk<Promise<boolean>> =>
  async (dispatch, getState) => {
    const before = selectSavedSearches(getState())
    const next = change(before)
    if (next === before) return true
    const { savedSearches } = selectSettings(getState())
    return (await dispatch(writeSearches({ ...savedSearches, [sidebarKey(selectSession(getState()))]: next }))).ok
  }

/** Runs a saved search. */
export const openSaved =
  ({ name: _name, ...wanted }: SavedSearch) =>
  (dispatch: AppDispatch): void =>
    void dispatch(searchOpened(wanted))
