/**
 * The texts of the product by area, one file per area and language in `resources/locales`. The feature that an area belongs
 * to adds it here (`declare module`).
 */
export interface Areas {}

export type AreaName = keyof Areas

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: Areas
    returnNull: false
  }
}

/** The texts of one area, as its locale file nests them. */
export type Texts = Record<string, unknown>

/** `{common: {…}}` from `…/locales/en/common.json`. */
export function byArea(byPath: Record<string, Texts>): Record<string, Texts> {
  return Object.fromEntries(
    Object.entries(byPath).map(([path, texts]) => [path.slice(path.lastIndexOf('/') + 1).replace('.json', ''), texts]),
  )
}
