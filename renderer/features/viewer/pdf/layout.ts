import type { Size, View } from '../view.ts'

/** Gap between pages and above the first, in CSS pixels. */
const GAP = 16
/** Maximum scale to fit the width, in CSS pixels per point. */
const MAX_FIT = 1.6

/** The layout of the pages in one column, in CSS pixels. Page N is at index N - 1. */
type Layout = {
  readonly scale: number
  readonly starts: readonly number[]
  readonly sizes: readonly Size[]
  readonly width: number
  readonly height: number
}

/** A position that is preserved on zoom and rotation: a page, and a fraction of its height. */
export type Anchor = { readonly page: number; readonly into: number }

/** @param sizeOf size of a page in points, unrotated; that of the first page until a page is loaded */
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

/** The page at `y`; the nearest one above or below all pages. */
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
