/** Windows, in pixels. */
export const NARROW = [450, 800] as const
export const MIDDLE = [720, 800] as const
export const WIDE = [1_600, 1_000] as const
/** High enough that scrolling content is visible completely. */
export const TALL = [1_440, 1_900] as const
/** The visible size of a usual window at 200 %. */
export const TINY = [720, 450] as const
