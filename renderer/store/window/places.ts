import type { WindowPlace } from '#shared/bridge/window-place.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { ownsSidebar, type Panel, type Route } from './kinds.ts'
import type { Place, UiState } from './ui.ts'

/** Navigation inside a window: what is reset on leaving a place, what stays open beside it, and the history. */

const HISTORY_LIMIT = 50

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

function without(marks: Readonly<Record<string, true>>, cid: string): Readonly<Record<string, true>> {
  if (!(cid in marks)) return marks
  const { [cid]: _removed, ...rest } = marks
  return rest
}

const isOf = (route: Route, cid: Cid | undefined): boolean => route.view === 'channel' && route.cid === cid

const withPanel = (state: UiState, panel: Panel | undefined): UiState => {
  const { panel: _panel, ...rest } = state
  return panel === undefined ? rest : { ...rest, panel }
}

/** The other half, if any; panels are shown over it. */
const halfOf = ({ split }: UiState): Panel | undefined =>
  split === undefined ? undefined : { kind: 'channel', cid: split }

function withoutHalf(state: UiState): UiState {
  const { split, inSplit: _in, ...rest } = state
  return split === undefined ? rest : { ...rest, unreadByHand: without(rest.unreadByHand, split) }
}

/** Resets what applies only while a channel is open. */
function left(state: UiState): UiState {
  const { jump: _jump, ...rest } = withPanel(state, halfOf(state))
  return rest.route.view === 'channel' ? { ...rest, unreadByHand: without(rest.unreadByHand, rest.route.cid) } : rest
}

const placeOf = ({ placeId, route, panel }: UiState): Place => ({
  id: placeId,
  route,
  panel,
})

/** Adds the current place to the history. */
export function stopped(state: UiState, inside = false): UiState {
  const here: Place = { ...placeOf(state), ...(inside ? { inside } : {}) }
  const next = state.lastPlaceId + 1
  const isBetween = ownsSidebar(state.route.view) || state.route.view === 'home'
  const back = isBetween && !inside ? state.back : [...state.back, here].slice(-HISTORY_LIMIT)
  return { ...state, back, forward: [], placeId: next, lastPlaceId: next }
}

/** A new history whose places have ids that no place of the previous one had: positions of lists are stored by them. */
export function renumbered(state: UiState, before: UiState | undefined): UiState {
  const next = (before?.lastPlaceId ?? -1) + 1
  return { ...state, placeId: next, lastPlaceId: next }
}

const routeOf = ({ cid, parentId }: WindowPlace): Route =>
  parentId === undefined ? { view: 'channel', cid } : { view: 'thread', cid, parentId }

/** What a window of one place can show: that place, and for a channel also its threads and its search. */
function isShownIn(own: WindowPlace, route: Route): boolean {
  if (route.view === 'thread') return route.cid === own.cid && (own.parentId ?? route.parentId) === route.parentId
  return own.parentId === undefined && (route.view === 'search' || isOf(route, own.cid))
}

export function opened(state: UiState, wanted: Route): UiState {
  const { own } = state
  const route = own !== undefined && wanted.view === 'home' ? routeOf(own) : wanted
  if (own !== undefined && !isShownIn(own, route)) return { ...state, elsewhere: { route } }
  // It is open in the other half already: two lists of one channel would both mark it read.
  if (isOf(route, state.split)) return { ...withPanel(state, halfOf(state)), inSplit: true, narrowLevel: 'main' }
  const { inSplit: _in, ...rest } = state
  if (isSame(state.route, route)) return { ...rest, narrowLevel: 'main' }
  return { ...left(stopped(rest)), route, narrowLevel: 'main' }
}

/** Restores a place of the history with its panel; if the panel was the other half, that is reopened. */
function revisited(state: UiState, place: Place, history: Pick<UiState, 'back' | 'forward'>): UiState {
  const { id, route, panel } = place
  // Going back cancels a jump in progress.
  const { jump: _jump, ...settled } = state
  const current = isSame(state.route, route) ? settled : left(settled)
  const half = panel?.kind === 'channel' ? panel.cid : isOf(route, state.split) ? undefined : state.split
  const based = half === undefined ? withoutHalf(current) : { ...current, split: half }
  const { inSplit: _in, ...rest } = withPanel(based, panel ?? halfOf(based))
  return { ...rest, ...history, placeId: id, route, narrowLevel: 'main' }
}

/** Places that look like the current one are skipped. */
const differs = (state: UiState, place: Place, passing: boolean): boolean =>
  passing || !isSame(place.route, state.route) || !isSame(place.panel ?? halfOf(state), state.panel)

export function navigatedBack(state: UiState): UiState {
  const at = state.back.findLastIndex((place) => differs(state, place, place.inside === true))
  const target = state.back[at]
  if (target === undefined) return state
  const here: Place = { ...placeOf(state), ...(target.inside === true ? { inside: true } : {}) }
  return revisited(state, target, { back: state.back.slice(0, at), forward: [here, ...state.forward] })
}

export function navigatedForward(state: UiState): UiState {
  const at = state.forward.findIndex((place) => differs(state, place, place.inside === true))
  const target = state.forward[at]
  if (target === undefined) return state
  const here: Place = { ...placeOf(state), ...(target.inside === true ? { inside: true } : {}) }
  return revisited(state, target, { back: [...state.back, here], forward: state.forward.slice(at + 1) })
}

/** Leaves a view and its panels; without an earlier place goes home. */
export function navigatedOut(state: UiState): UiState {
  const at = state.back.findLastIndex(({ route }) => route.view !== state.route.view)
  const target = state.back[at]
  if (target === undefined) return opened(state, { view: 'home' })
  return revisited(state, target, { back: state.back.slice(0, at), forward: [placeOf(state), ...state.forward] })
}

export function panelShown(state: UiState, panel: Panel): UiState {
  const { elsewhere } = state
  if (elsewhere !== undefined && panel.kind === 'thread')
    return { ...state, elsewhere: { ...elsewhere, parentId: panel.parentId } }
  if (isSame(state.panel, panel)) return { ...state, narrowLevel: 'main' }
  return { ...withPanel(stopped(state), panel), narrowLevel: 'main' }
}

/** Closes a panel, which uncovers the other half, or closes the other half. */
export function panelHidden(state: UiState): UiState {
  const based = state.panel?.kind === 'channel' ? withoutHalf(state) : state
  return withPanel(based, halfOf(based))
}

/** Opens a channel in the other half, unless it is the open one. */
export function splitShown(state: UiState, cid: Cid): UiState {
  if (state.own !== undefined || ownsSidebar(state.route.view)) return opened(state, { view: 'channel', cid })
  if (isOf(state.route, cid)) return { ...state, narrowLevel: 'main' }
  if (isSame(state.panel, { kind: 'channel', cid })) return { ...state, inSplit: true, narrowLevel: 'main' }
  const next: UiState = { ...withoutHalf(stopped(state)), split: cid, inSplit: true, narrowLevel: 'main' }
  return withPanel(next, halfOf(next))
}

/** Moves the focus to the other half, or back to the first. */
export function halfEntered(state: UiState, inSplit: boolean): UiState {
  if ((state.inSplit === true) === (inSplit && state.split !== undefined)) return state
  const { inSplit: _in, ...rest } = state
  return inSplit ? { ...rest, inSplit } : rest
}
