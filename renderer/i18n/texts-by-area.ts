/** The texts of one area, as its locale file nests them. */
export type Texts = Record<string, unknown>

/** `{common: {…}}` from `…/locales/en/common.json`. */
export function byArea(byPath: Record<string, Texts>): Record<string, Texts> {
  return Object.fromEntries(
    Object.entries(byPath).map(([path, texts]) => [path.slice(path.lastIndexOf('/') + 1).replace('.json', ''), texts]),
  )
}
