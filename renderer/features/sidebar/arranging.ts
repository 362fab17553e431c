import { useState, type DragEvent } from 'react'
import { type Cid, asCid } from '#shared/lib/brand.ts'
import type { SectionName, SidebarPlan } from '#shared/domain/settings.ts'
import {
  canMoveTo,
  folderSection,
  neighbourSection,
  sectionOf,
  withMoved,
  withoutFolder,
  type Section,
} from '#shared/rules/channels/sidebar.ts'
import { mayUpload } from '#shared/rules/channels/capabilities.ts'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { selectSettings } from '../../store/selectors.ts'
import type { AppState, Thunk } from '../../store/store.ts'
import { CONVERSATION_TYPE } from '../../lib/open-target.ts'
import { droppedIn, hasFiles } from '../../lib/files/dropped-files.ts'
import { COMPOSER_FILES } from '../../store/composers/files.ts'
import { useAppDispatch, useAppStore, useHost } from '../../store/hooks.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { saveSidebar } from '../settings/index.ts'
import { changedSince, rememberDone } from '../../store/window/recent.ts'
import { pinWithMove } from './commands.ts'
import { channelTitle, selectPlan, selectSections, sectionTitle, selectSidebarKey } from './selectors.ts'

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

/** Deletes a custom section. Undo brings it back with the conversations that are still where it left them. */
export function deleteFolder(id: string): Thunk<Promise<void>> {
  return async (dispatch, getState) => {
    const before = selectPlan(getState())
    const at = before.folders.findIndex((each) => each.id === id)
    const folder = before.folders[at]
    if (folder === undefined) return
    await dispatch(arrange((plan) => withoutFolder(plan, id)))
    const placed = Object.fromEntries(Object.entries(before.placed).filter(([, where]) => where === id))
    const name = folderSection(id)
    const kept = <Value>(record: Readonly<Partial<Record<string, Value>>>) =>
      record[name] === undefined ? {} : { [name]: record[name] }
    dispatch(
      rememberDone({
        code: 'section/deleted',
        params: { name: folder.name },
        undo: (context) =>
          context.dispatch(
            arrange((plan) => ({
              ...plan,
              folders: plan.folders.toSpliced(at, 0, folder),
              placed: { ...placed, ...plan.placed },
              order: { ...plan.order, ...kept(before.order) },
              sort: { ...plan.sort, ...kept(before.sort) },
            })),
          ),
      }),
    )
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
 * unpins it, which the server must accept first. Can be undone.
 */
export function moveConversation(cid: Cid, place: Place): Thunk<Promise<boolean>> {
  return async (dispatch, getState) => {
    const [was, plan] = [selectSections(getState()), selectPlan(getState())]
    const section = was.find(({ cids }) => cids.includes(cid))
    if (!(await dispatch(move(cid, place)))) return false
    const now = selectPlan(getState())
    if (section === undefined || now === plan) return true
    const back = { to: section.name, before: section.cids[section.cids.indexOf(cid) + 1] }
    dispatch(
      rememberDone({
        code: 'channel/moved',
        params: { name: channelTitle(getState(), cid) },
        undo: async (context) => {
          const untouched = selectPlan(context.getState()) === now
          const moved = await context.dispatch(move(cid, back))
          if (!moved) throw changedSince()
          // Nothing was arranged since: also the sort order is as it was.
          if (untouched) await context.dispatch(arrange(() => plan))
        },
      }),
    )
    return true
  }
}

function move(cid: Cid, { to, before }: Place): Thunk<Promise<boolean>> {
  return async (dispatch, getState) => {
    const state = getState()
    const channel = state.entities.channels[cid]
    if (channel === undefined || !canMoveTo(channel, to)) return false
    const from = sectionOf(channel, selectPlan(state))
    const pinned = to === 'pinned'
    if (pinned !== (from === 'pinned')) {
      const done = await dispatch(pinWithMove({ cid, pinned }))
      if (!done.ok) return false
    }
    const shown = selectSections(getState()).find(({ name }) => name === to)?.cids ?? []
    await dispatch(arrange((plan) => withMoved(plan, { cid, to, shown, before })))
    return true
  }
}

/** Moves a conversation one position up or down; at the edge of its section, into the adjacent one. */
function nudgeConversation(cid: Cid, by: 1 | -1): Thunk<Promise<boolean>> {
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

/** Moves a conversation one position and announces where it is; the focus stays on its row. */
export function useAnnouncedNudge(cid: Cid): (by: 1 | -1) => Promise<void> {
  const t = useTexts('sidebar')
  const store = useAppStore()
  return async (by) => {
    const moved = await store.dispatch(nudgeConversation(cid, by))
    const state = store.getState()
    const at = moved ? sidebarPositionOf(state, cid) : undefined
    if (at === undefined) return
    // In another section the row is a new element, which must receive the focus.
    document.querySelector<HTMLElement>(`[data-region="sidebar"] [data-channel-item="${CSS.escape(cid)}"]`)?.focus()
    const { place, count } = at
    announce(
      t('move.done', {
        name: channelTitle(state, cid),
        place,
        count,
        section: sectionTitle(at.section, selectPlan(state).folders, t),
      }),
    )
  }
}

/** Position to announce after a move. */
function sidebarPositionOf(state: AppState, cid: string): SidebarPosition | undefined {
  for (const { name, cids } of selectSections(state)) {
    const at = cids.indexOf(cid)
    if (at >= 0) return { section: name, place: at + 1, count: cids.length }
  }
  return undefined
}

type Over =
  | { readonly kind: 'files'; readonly cid: string }
  | { readonly kind: 'place'; readonly to: SectionName; readonly before?: string }

type DragProps = {
  readonly onDragOver: (event: DragEvent<HTMLElement>) => void
  readonly onDrop: (event: DragEvent<HTMLElement>) => void
  /** Drop feedback for styling. */
  readonly 'data-over'?: 'files' | 'before' | 'after' | 'section'
}

type RowDrag = DragProps & {
  readonly draggable: true
  readonly onDragStart: (event: DragEvent<HTMLElement>) => void
  readonly onDragEnd: () => void
}

export type Dragging = {
  readonly row: (cid: string, section: Section) => RowDrag
  readonly section: (name: SectionName) => DragProps
  /** The pointer left the list. */
  readonly onLeave: () => void
}

/** Dragging conversations within the list, and files onto a conversation. */
export function useDragging(): Dragging {
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const { capabilities } = useHost()
  const [dragged, setDragged] = useState<Cid>()
  const [over, setOver] = useState<Over>()
  const end = (): void => {
    setDragged(undefined)
    setOver(undefined)
  }
  const channelOf = (cid: string | undefined) =>
    cid === undefined ? undefined : store.getState().entities.channels[cid]
  const accepts = (to: SectionName): boolean => {
    const channel = channelOf(dragged)
    return channel !== undefined && canMoveTo(channel, to)
  }
  const acceptsFiles = (cid: string): boolean => {
    const channel = channelOf(cid)
    return capabilities.files && channel !== undefined && mayUpload(channel)
  }
  const drop = (event: DragEvent<HTMLElement>, place: { to: SectionName; before?: string }): void => {
    if (dragged === undefined || !accepts(place.to)) return
    event.preventDefault()
    event.stopPropagation()
    void dispatch(moveConversation(dragged, place))
    end()
  }
  const hold = (event: DragEvent<HTMLElement>, now: Over): void => {
    event.preventDefault()
    event.stopPropagation()
    event.dataTransfer.dropEffect = now.kind === 'files' ? 'copy' : 'move'
    setOver((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now))
  }

  return {
    row: (cid, { name, cids }) => {
      const next = cids[cids.indexOf(cid) + 1]
      const beforeOf = (event: DragEvent<HTMLElement>): string | undefined => {
        const box = event.currentTarget.getBoundingClientRect()
        return event.clientY < box.top + box.height / 2 ? cid : next
      }
      const look = lookOf(over, cid, name, next)
      return {
        draggable: true,
        'data-over': look,
        onDragStart: (event) => {
          event.dataTransfer.effectAllowed = 'move'
          event.dataTransfer.setData(CONVERSATION_TYPE, cid)
          setDragged(asCid(cid))
        },
        onDragEnd: end,
        onDragOver: (event) => {
          if (hasFiles(event.dataTransfer) && acceptsFiles(cid)) hold(event, { kind: 'files', cid })
          else if (accepts(name)) hold(event, { kind: 'place', to: name, before: beforeOf(event) })
        },
        onDrop: (event) => {
          if (hasFiles(event.dataTransfer) && acceptsFiles(cid)) {
            event.preventDefault()
            const composers = store.objects.of(COMPOSER_FILES)
            void droppedIn(event.dataTransfer).then((dropped) => composers.hand(cid, dropped))
            dispatch(routeOpened({ view: 'channel', cid: asCid(cid) }))
            end()
          } else {
            drop(event, { to: name, before: beforeOf(event) })
          }
        },
      }
    },
    section: (name) => ({
      'data-over':
        over?.kind === 'place' && over.to === name && over.before === undefined ? ('section' as const) : undefined,
      onDragOver: (event) => {
        if (accepts(name)) hold(event, { kind: 'place', to: name })
      },
      onDrop: (event) => drop(event, { to: name }),
    }),
    onLeave: () => setOver(undefined),
  }
}

function lookOf(
  over: Over | undefined,
  cid: string,
  name: SectionName,
  next: string | undefined,
): DragProps['data-over'] | undefined {
  if (over?.kind === 'files') return over.cid === cid ? 'files' : undefined
  if (over?.to !== name) return undefined
  if (over.before === cid) return 'before'
  return over.before === undefined && next === undefined ? 'after' : undefined
}
