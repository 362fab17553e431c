import { byArea, type Texts } from '../areas.ts'

/** Polish, a separate chunk of the build: a window loads only the language it shows. */
export const texts = byArea(
  import.meta.glob<Texts>('../../../resources/locales/pl/*.json', { eager: true, import: 'default' }),
)
