import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import type { Row } from '../model/rows.ts'
import { ListView, type ListShape, type Position } from './list-view.ts'

type Options = {
  readonly shape: ListShape
  /** Where to stand when the first rows arrive. Asked once. */
  readonly opening: () => Position
  readonly onOlder: () => void
  readonly onNewer: () => void
  readonly onAtEnd: (atEnd: boolean) => void
  /** Told where the reader was when the list goes. */
  readonly onLeave: (position: Position) => void
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

/** Puts a {@link ListView} behind a component. */
export function useListView({ shape, opening, ...on }: Options): MountedList {
  const [, render] = useReducer((count: number) => count + 1, 0)
  const [view] = useState(() => new ListView())
  const span = view.spanFor(shape, opening)
  const { before, after } = view.spacers(span)
  const attach = useCallback(
    (content: HTMLElement | null) => (content === null ? undefined : view.attach(content)),
    [view],
  )
  const leave = useRef(on.onLeave)
  useLayoutEffect(() => {
    leave.current = on.onLeave
    view.listen({ ...on, onSpan: (now) => (now ? flushSync(render) : render()) })
    view.settle()
  })
  useEffect(() => () => leave.current(view.where()), [view])
  return { view, rows: shape.rows.slice(span.start, span.end), before, after, attach }
}

/** Key of the row at the top edge of a list. */
export const useTopRow = ({ followTopRow, topRow }: ListView): string | undefined =>
  useSyncExternalStore(followTopRow, topRow)

/** Key of the row right under what stands at the top edge, so that it never covers another day's line. */
export const useHeadRow = ({ followTopRow, headRow }: ListView): string | undefined =>
  useSyncExternalStore(followTopRow, headRow)
