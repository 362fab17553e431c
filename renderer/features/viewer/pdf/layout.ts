import type { Size, View } from '../view.ts'

/** Between pages, and before the first; CSS pixels. */
const GAP = 16
/** A page of a wide window is not blown up more than this: CSS pixels for each point. */
const MAX_FIT = 1.6

/** Where the pages stand, one below the other; CSS pixels. The page N is at index N - 1. */
type Layout = {
  readonly scale: number
  readonly starts: readonly number[]
  readonly sizes: readonly Size[]
  readonly width: number
  readonly height: number
}

/** A place that stays where it is while pages grow, shrink and turn: so far into a page, 0 to 1. */
export type Anchor = { readonly page: number; readonly into: number }

/** @param sizeOf of each page in points, upright; a page not looked at yet is taken to be like the first. */
export function layOut(pages: number, sizeOf: (page: number) => Size, room: Size, { zoom, turn }: View): Layout {
  const first = turnedSize(sizeOf(1), turn)
  const scale = Math.min(MAX_FIT, Math.max(1, room.width - 2 * GAP) / Math.max(1, first.width)) * zoom
  const sizes: Size[] = []
  const starts: number[] = []
  let top = GAP
  for (let page = 1; page <= pages; page += 1) {
    const { width, height } = turnedSize(sizeOf(page), turn)
    const size = { width: Math.round(width * scale), height: Math.round(height * scale) }
    starts.push(top)
    sizes.push(size)
    top += size.height + GAP
  }
  const widest = sizes.reduce((most, { width }) => Math.max(most, width), 0)
  return { scale, starts, sizes, width: Math.max(room.width, widest + 2 * GAP), height: top }
}

const turnedSize = ({ width, height }: Size, turn: View['turn']): Size =>
  turn % 180 === 0 ? { width, height } : { width: height, height: width }

/** The page at a height; the nearest one above or below all of them. */
export function pageAt({ starts }: Pick<Layout, 'starts'>, y: number): number {
  const after = starts.findIndex((start) => start > y)
  return after === -1 ? starts.length : Math.max(1, after)
}

export function anchorAt(layout: Layout, y: number): Anchor {
  const page = pageAt(layout, y)
  const height = layout.sizes[page - 1]?.height ?? 1
  return { page, into: (y - (layout.starts[page - 1] ?? 0)) / height }
}

export const heightOf = (layout: Layout, { page, into }: Anchor): number =>
  (layout.starts[page - 1] ?? 0) + into * (layout.sizes[page - 1]?.height ?? 0)
