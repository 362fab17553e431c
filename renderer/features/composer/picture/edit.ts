/** A rectangle in pixels of the picture as it was taken, before it is turned. */
export type Area = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
export type Size = { readonly width: number; readonly height: number }
export type Point = { readonly x: number; readonly y: number }

/** Quarter turns clockwise. */
export type Turns = 0 | 1 | 2 | 3

/** What is painted over the picture, in the order of drawing. */
export type Mark =
  | { readonly kind: 'cover'; readonly area: Area }
  | { readonly kind: 'line'; readonly points: readonly Point[]; readonly color: string; readonly width: number }

/** Everything that was changed. The picture itself is never changed: a result is painted from it. */
export type Edit = { readonly turns: Turns; readonly crop?: Area; readonly marks: readonly Mark[] }

export const UNCHANGED: Edit = { turns: 0, marks: [] }

/** The steps before and after the current one. */
export type Steps = { readonly past: readonly Edit[]; readonly now: Edit; readonly future: readonly Edit[] }

export const FIRST: Steps = { past: [], now: UNCHANGED, future: [] }

export const isChanged = ({ now }: Steps): boolean => now !== UNCHANGED

export const after = ({ past, now }: Steps, next: Edit): Steps => ({ past: [...past, now], now: next, future: [] })

export function undone({ past, now, future }: Steps): Steps {
  const before = past.at(-1)
  return before === undefined
    ? { past, now, future }
    : { past: past.slice(0, -1), now: before, future: [now, ...future] }
}

export function redone({ past, now, future }: Steps): Steps {
  const [next, ...rest] = future
  return next === undefined ? { past, now, future } : { past: [...past, now], now: next, future: rest }
}

export const turned = (edit: Edit, by: 1 | -1): Edit => ({ ...edit, turns: ((edit.turns + by + 4) % 4) as Turns })

export const marked = (edit: Edit, mark: Mark): Edit => ({ ...edit, marks: [...edit.marks, mark] })

/** The part that remains, or the whole picture. */
export const partOf = ({ crop }: Edit, whole: Size): Area => crop ?? { x: 0, y: 0, ...whole }

export function cropped(edit: Edit, area: Area, whole: Size): Edit {
  const { crop: _crop, ...rest } = edit
  const part = within(area, whole)
  const isWhole = part.width === whole.width && part.height === whole.height
  return isWhole ? rest : { ...rest, crop: part }
}

/** Whole pixels inside the picture, at least one. Rounded outward: a pixel that is touched is included. */
export function within({ x, y, width, height }: Area, whole: Size): Area {
  const left = clamp(Math.floor(x), 0, whole.width - 1)
  const top = clamp(Math.floor(y), 0, whole.height - 1)
  const right = clamp(Math.ceil(x + width), left + 1, whole.width)
  const bottom = clamp(Math.ceil(y + height), top + 1, whole.height)
  return { x: left, y: top, width: right - left, height: bottom - top }
}

export const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/** The rectangle with these opposite corners. */
export const between = (a: Point, b: Point): Area => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
})

export const sizeOf = ({ width, height }: Size, turns: Turns): Size =>
  turns % 2 === 0 ? { width, height } : { width: height, height: width }

/** Where a point of the picture is once it is turned. `whole` is the size before. */
export function seenAt({ x, y }: Point, turns: Turns, { width, height }: Size): Point {
  switch (turns) {
    case 0:
      return { x, y }
    case 1:
      return { x: height - y, y: x }
    case 2:
      return { x: width - x, y: height - y }
    case 3:
      return { x: y, y: width - x }
  }
}

/** The opposite of {@link seenAt}. */
export const pointUnder = (seen: Point, turns: Turns, whole: Size): Point =>
  seenAt(seen, ((4 - turns) % 4) as Turns, sizeOf(whole, turns))

export const areaSeen = (area: Area, turns: Turns, whole: Size): Area =>
  between(...(corners(area).map((corner) => seenAt(corner, turns, whole)) as [Point, Point]))

export const areaUnder = (seen: Area, turns: Turns, whole: Size): Area =>
  between(...(corners(seen).map((corner) => pointUnder(corner, turns, whole)) as [Point, Point]))

const corners = ({ x, y, width, height }: Area): [Point, Point] => [
  { x, y },
  { x: x + width, y: y + height },
]
