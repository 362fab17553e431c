import type { Cid } from '#shared/lib/brand.ts'
import type { SectionName, SidebarPlan } from '#shared/domain/settings.ts'
import { canMoveTo, neighbourSection, sectionOf, withMoved } from '#shared/rules/channels/sidebar.ts'
import { selectSettings } from '../../store/selectors.ts'
import type { AppState, Thunk } from '../../store/store.ts'
import { saveSidebar } from '../settings/index.ts'
import { pinChannel } from './commands.ts'
import { selectPlan, selectSections, selectSidebarKey } from './selectors.ts'

/** Changes the sidebar arrangement of this workspace. */
export function arrange(change: (plan: SidebarPlan) => SidebarPlan): Thunk<Promise<void>> {
  return async (dispatch, getState) => {
    const plan = selectPlan(getState())
    const next = change(plan)
    if (next === plan) return
    const who = selectSidebarKey(getState())
    await dispatch(saveSidebar({ plans: selectSettings(getState()).sidebars, who, plan: next }))
  }
}

type Place = { readonly to: SectionName; readonly before?: string }

/** Current position of a conversation. */
type SidebarPosition = {
  readonly section: SectionName
  readonly place: number
  readonly count: number
}

/**
 * Moves a conversation into a section, before another one or to its end. Moving it into or out of Pinned also pins or
 * unpins it, which the server must accept first.
 */
export function moveConversation(cid: Cid, { to, before }: Place): Thunk<Promise<boolean>> {
  return async (dispatch, getState) => {
    const state = getState()
    const channel = state.entities.channels[cid]
    if (channel === undefined || !canMoveTo(channel, to)) return false
    const from = sectionOf(channel, selectPlan(state))
    const pinned = to === 'pinned'
    if (pinned !== (from === 'pinned')) {
      const done = await dispatch(pinChannel({ cid, pinned }))
      if (!done.ok) return false
    }
    const shown = selectSections(getState()).find(({ name }) => name === to)?.cids ?? []
    await dispatch(arrange((plan) => withMoved(plan, { cid, to, shown, before })))
    return true
  }
}

/** Moves a conversation one position up or down; at the edge of its section, into the adjacent one. */
export function nudgeConversation(cid: Cid, by: 1 | -1): Thunk<Promise<boolean>> {
  return async (dispatch, getState) => {
    const state = getState()
    const channel = state.entities.channels[cid]
    const section = selectSections(state).find(({ cids }) => cids.includes(cid))
    if (channel === undefined || section === undefined) return false
    const at = section.cids.indexOf(cid)
    const to = at + by
    if (to >= 0 && to < section.cids.length) {
      const before = by < 0 ? section.cids[to] : section.cids[to + 1]
      return dispatch(moveConversation(cid, { to: section.name, before }))
    }
    const next = neighbourSection(channel, selectPlan(state), { from: section.name, by })
    if (next === undefined) return false
    const first = selectSections(state).find(({ name }) => name === next)?.cids[0]
    return dispatch(moveConversation(cid, { to: next, before: by > 0 ? first : undefined }))
  }
}

/** Position to announce after a move. */
export function sidebarPositionOf(state: AppState, cid: string): SidebarPosition | undefined {
  for (const { name, cids } of selectSections(state)) {
    const at = cids.indexOf(cid)
    if (at >= 0) return { section: name, place: at + 1, count: cids.length }
  }
  return undefined
}
