import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const SPRITE = new URL('../resources/icons.svg', import.meta.url)

/** Puts the sprite into the page: an icon from another file is loaded, laid out and painted a second time at each use. */
export const iconsInPage: Plugin = {
  name: 'parlor-icons',
  transformIndexHtml: () => {
    const drawing = readFileSync(SPRITE, 'utf8').replaceAll(/<!--.*?-->/gsu, '')
    const symbols = /<svg[^>]*>(?<symbols>.*)<\/svg>/su.exec(drawing)?.groups?.['symbols']
    if (symbols === undefined) throw new Error('resources/icons.svg is one <svg> of symbols.')
    return [
      { tag: 'svg', attrs: { display: 'none', 'aria-hidden': 'true' }, children: symbols, injectTo: 'body-prepend' },
    ]
  },
}
