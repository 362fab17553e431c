import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const SPRITE = new URL('../resources/icons.svg', import.meta.url)

/** Puts the sprite into the page: an icon from another file is loaded, laid out and painted a second time at each use. */
export const iconsInPage: Plugin = {
  name: 'parlor-icons',
  transformIndexHtml: () => {
    const symbols = /<svg[^>]*>(?<symbols>.*)<\/svg>/su.exec(readFileSync(SPRITE, 'utf8'))?.groups?.['symbols']
    if (symbols === undefined) throw new Error('resources/icons.svg is one <svg> of symbols.')
    return [
      { tag: 'svg', attrs: { display: 'none', 'aria-hidden': 'true' }, children: symbols, injectTo: 'body-prepend' },
    ]
  },
}
