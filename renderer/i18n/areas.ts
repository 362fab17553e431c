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
