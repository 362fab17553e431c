export { forgetChoice, pageLanguages, resolveLanguage, storeChoice, systemLanguages } from './detect.ts'
export { I18nProvider } from './I18nProvider.tsx'
export { i18next, setLanguage, startI18n } from './i18n.ts'
export { loadTexts } from './load-texts.ts'
export { formatsFor, setClock, setWeekStart, startOfDay, useFormats, type Formats } from './format.ts'
export {
  subscribeLanguage,
  useLanguage,
  useErrorText,
  useTexts,
  useLanguageNames,
  useFormMessage as useRemark,
} from './use-texts.ts'
