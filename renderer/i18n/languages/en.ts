import { byArea } from '../areas.ts'

/** English, a separate chunk of the build: a window loads only the language it shows. */
export const texts = byArea(
  import.meta.glob<string>('../../../resources/locales/en/*.json', { eager: true, import: 'default', query: '?raw' }),
)
