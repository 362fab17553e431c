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

/**
 * `{common: {…}}` from the text of `…/locales/en/common.json`. An area is parsed when its first text is needed: a start
 * needs a third of them.
 */
export function byArea(byPath: Record<string, string>): Record<string, Texts> {
  const areas: Record<string, Texts> = {}
  for (const [path, json] of Object.entries(byPath)) {
    let texts: Texts | undefined
    Object.defineProperty(areas, path.slice(path.lastIndexOf('/') + 1).replace('.json', ''), {
      enumerable: true,
      get: () => (texts ??= JSON.parse(json) as Texts),
    })
  }
  return areas
}
