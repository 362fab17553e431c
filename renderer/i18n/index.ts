export { i18next, loadTexts, resolveLanguage, setLanguage, startI18n } from './i18n.ts'
export { formatsFor, setClock, startOfDay, useFormats, type Formats } from './format.ts'
export { useErrorText, useTexts } from './use-texts.ts'
export type { AreaName } from './areas.ts'
