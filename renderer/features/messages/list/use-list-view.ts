import { useCallback, useLayoutEffect, useReducer, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import type { Row } from '../model/rows.ts'
import type { Landing, ListShape, ListView } from './list-view.ts'

type Options = {
  readonly view: ListView
  readonly shape: ListShape
  readonly landing: Landing | undefined
  readonly onOlder: () => void
  readonly onNewer: () => void
  readonly onAtEnd: (atEnd: boolean) => void
}

export type MountedList = {
  readonly view: ListView
  /** The rows to render, and the height of those left out before and after them. */
  readonly rows: readonly Row[]
  readonly before: number
  readonly after: number
  /** Ref of the element that holds the rows. */
  readonly attach: (content: HTMLElement | null) => (() => void) | undefined
}

/** Connects a {@link ListView} to a component. */
export function useListView({ view, shape, landing, ...on }: Options): MountedList {
  const [, render] = useReducer((count: number) => count + 1, 0)
  const plan = view.plan(shape, landing)
  const attach = useCallback(
    (content: HTMLElement | null) => (content === null ? undefined : view.attach(content)),
    [view],
  )
  useLayoutEffect(() => {
    view.listen({ ...on, onSpan: (now) => (now ? flushSync(render) : render()) })
    view.commit(plan)
  })
  const { span, before, after } = plan
  return { view, rows: shape.rows.slice(span.start, span.end), before, after, attach }
}

/** Key of the row at the top edge of a list. */
export const useTopRow = ({ followTopRow, topRow }: ListView): string | undefined =>
  useSyncExternalStore(followTopRow, topRow)

/** Key of the row below the sticky day, so that the sticky day never covers another divider. */
export const useHeadRow = ({ followTopRow, headRow }: ListView): string | undefined =>
  useSyncExternalStore(followTopRow, headRow)
