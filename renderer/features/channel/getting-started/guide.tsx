import type { ReactNode } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { GENERAL_CID } from '#shared/rules/channels/channels.ts'
import { overlayPart } from '../../../lib/page/part.tsx'
import { useAppSelector, useCanParticipate, useSession } from '../../../store/hooks.ts'
import type { GuideState } from '#shared/domain/settings.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { selectSession, selectSettings } from '../../../store/selectors.ts'
import type { AppState, Thunk } from '../../../store/store.ts'
import { rememberDone } from '../../../store/window/recent.ts'
import { routeOpened } from '../../../store/window/ui.ts'
import { updateSettings } from '../../settings/index.ts'

export const GettingStarted = overlayPart(async () => (await import('./GettingStarted.tsx')).GettingStarted)

/** What the first channel of an own workspace begins with; absent in any other channel. */
export function useChannelStart(cid: Cid): ReactNode {
  const { workspace } = useSession()
  const canParticipate = useCanParticipate()
  const { closed } = useAppSelector(selectGuide)
  const isOwn = workspace?.kind === 'local' && !workspace.demo && cid === GENERAL_CID
  return isOwn && canParticipate && !closed ? <GettingStarted name={workspace.name} /> : undefined
}

/** How long it says that everything is done. */
const SAID_MS = 8_000

const UNTOUCHED: GuideState = { closed: false, skipped: [] }

/** The guide of the account that the window shows. */
export const selectGuide = (state: AppState): GuideState =>
  selectSettings(state).gettingStarted[sidebarKey(selectSession(state))] ?? UNTOUCHED

export const changeGuide =
  (change: Partial<GuideState>): Thunk =>
  (dispatch, getState) => {
    const { gettingStarted } = selectSettings(getState())
    const key = sidebarKey(selectSession(getState()))
    void dispatch(
      updateSettings({ gettingStarted: { ...gettingStarted, [key]: { ...selectGuide(getState()), ...change } } }),
    )
  }

/** Everything is done: the card goes, and says where it is. */
export const finishGuide = (): Thunk => (dispatch) => {
  dispatch(changeGuide({ closed: true }))
  dispatch(
    rememberDone({
      code: 'workspace/all-set',
      noticeMs: SAID_MS,
      undo: async ({ dispatch: again }) => again(changeGuide({ closed: false, kept: true })),
    }),
  )
}

/** Shows the card again, also when everything is done. */
export const reopenGuide = (): Thunk => (dispatch) => {
  dispatch(changeGuide({ closed: false, kept: true }))
  dispatch(routeOpened({ view: 'channel', cid: GENERAL_CID }))
}
