import { byArea } from '../areas.ts'

/** Russian, a separate chunk of the build: a window loads only the language it shows. */
export const texts = byArea(
  import.meta.glob<string>('../../../resources/locales/ru/*.json', { eager: true, import: 'default', query: '?raw' }),
)
