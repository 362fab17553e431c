import { byArea, type Texts } from '../texts-by-area.ts'

/** Russian, a file of its own in the build: a window loads the one language it shows. */
export const texts = byArea(
  import.meta.glob<Texts>('../../../resources/locales/ru/*.json', { eager: true, import: 'default' }),
)
