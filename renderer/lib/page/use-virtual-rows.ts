import { useCallback, useLayoutEffect, useMemo, useState, type CSSProperties } from 'react'

/** Rows are rendered this far beyond each edge of the view, in pixels. */
const OVERSCAN_PX = 400
/** Assumed height before the first layout. */
const UNKNOWN_VIEW_PX = 800

type VirtualRows = {
  /** Ref of the element that scrolls. */
  readonly attach: (element: HTMLElement | null) => (() => void) | undefined
  /** Total height of all rows, for their container. */
  readonly total: number
  /** Of the view, at the normal text size; 0 before the first layout. */
  readonly width: number
  /** Indexes to render, ascending. */
  readonly shown: readonly number[]
  readonly styleOf: (index: number) => CSSProperties
  readonly reveal: (index: number) => void
}

type Options = {
  /** Height of each row in pixels at the normal text size; of rows that wrap, by the width of the view at that size. */
  readonly heights: readonly number[] | ((width: number) => readonly number[])
  /** A row that is always rendered: the focused one. */
  readonly mountedIndex?: number
}

/** A long list of rows of known heights: only those in view are rendered. The container needs `position: relative`. */
export function useVirtualRows({ heights: given, mountedIndex }: Options): VirtualRows {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [view, setView] = useState({ top: 0, height: UNKNOWN_VIEW_PX, width: 0 })
  const scale = textScale()
  const width = view.width / scale
  const heights = useMemo(() => (typeof given === 'function' ? given(width) : given), [given, width])
  const starts = useMemo(() => startsOf(heights, scale), [heights, scale])
  const attach = useCallback((found: HTMLElement | null) => {
    setElement(found)
    return undefined
  }, [])
  useLayoutEffect(() => {
    if (element === null) return undefined
    const update = (): void =>
      setView((now) => {
        const { scrollTop: top, clientHeight, clientWidth } = element
        const next = { top, height: clientHeight || UNKNOWN_VIEW_PX, width: clientWidth }
        return next.top === now.top && next.height === now.height && next.width === now.width ? now : next
      })
    update()
    element.addEventListener('scroll', update, { passive: true })
    const resized = new ResizeObserver(update)
    resized.observe(element)
    return () => {
      element.removeEventListener('scroll', update)
      resized.disconnect()
    }
  }, [element])
  const first = indexAt(starts, view.top - OVERSCAN_PX)
  const last = indexAt(starts, view.top + view.height + OVERSCAN_PX)
  const shown = useMemo(() => {
    const range = Array.from({ length: Math.min(heights.length - 1, last) - first + 1 }, (_, at) => first + at)
    if (
      mountedIndex === undefined ||
      mountedIndex < 0 ||
      mountedIndex >= heights.length ||
      (mountedIndex >= first && mountedIndex <= last)
    )
      return range
    return mountedIndex < first ? [mountedIndex, ...range] : [...range, mountedIndex]
  }, [heights.length, first, last, mountedIndex])
  return {
    attach,
    total: starts.at(-1) ?? 0,
    width,
    shown,
    styleOf: (index) => ({
      position: 'absolute',
      insetInline: 0,
      top: starts[index] ?? 0,
      height: (heights[index] ?? 0) * scale,
    }),
    reveal: (index) => {
      const [top, bottom] = [starts[index], starts[index + 1]]
      if (element === null || top === undefined || bottom === undefined) return
      if (top < element.scrollTop) element.scrollTo({ top })
      else if (bottom > element.scrollTop + element.clientHeight)
        element.scrollTo({ top: bottom - element.clientHeight })
    },
  }
}

/** The user's text size relative to the normal one. */
const textScale = (): number => (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) / 16

/** The top of each row, and the bottom of the last. */
function startsOf(heights: readonly number[], scale: number): readonly number[] {
  const starts = [0]
  for (const height of heights) starts.push((starts.at(-1) ?? 0) + height * scale)
  return starts
}

/** The index of the row at `y`, clamped to the list. */
function indexAt(starts: readonly number[], y: number): number {
  let [low, high] = [0, Math.max(0, starts.length - 2)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= y) low = middle
    else high = middle - 1
  }
  return low
}
