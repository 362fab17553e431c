import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

const reader = fileURLToPath(new URL('../node_modules/pdfjs-dist/', import.meta.url))

/**
 * Files that the PDF reader imports by name and the bundler cannot see: decoders of scanned pictures, in the form that
 * needs no wasm, and the licenses of the code that the reader includes.
 */
export const pdfFiles: Plugin = {
  name: 'parlor-pdf-files',
  apply: 'build',
  generateBundle() {
    const { version } = JSON.parse(readFileSync(join(reader, 'package.json'), 'utf8')) as { version: string }
    for (const folder of ['', 'wasm', 'cmaps', 'standard_fonts']) {
      for (const name of readdirSync(join(reader, folder)).filter((one) =>
        /^LICENSE(?!.*(QCMS|QUICKJS))|_nowasm_fallback\.js$/.test(one),
      )) {
        const fileName = `assets/pdf-${version}/${name === 'LICENSE' ? `LICENSE_${folder.toUpperCase() || 'PDFJS'}` : name}`
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join(reader, folder, name)) })
      }
    }
  },
}
