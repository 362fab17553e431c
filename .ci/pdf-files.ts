import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

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
