import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from './processes.ts'
import { figure, type Figure } from './stats.ts'

const built = join(root, 'out/renderer')

export type StartBytes = { readonly script: number; readonly styles: number }

/** What the page loads before its first paint, the script and styles that index.html names: bytes, gzip. */
export function startBytes(folder = built): StartBytes {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = [...new Set([...html.matchAll(/(?:src|href)="\.?\/?(assets\/[^"]+)"/g)].map((match) => match[1] ?? ''))]
  const gzipped = (ending: string): number =>
    named
      .filter((name) => name.endsWith(ending))
      .reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length, 0)
  return { script: gzipped('.js'), styles: gzipped('.css') }
}

export function measureBundle({ script, styles }: StartBytes = startBytes()): Figure[] {
  const chunks = readdirSync(join(built, 'assets')).filter((name) => name.endsWith('.js')).length
  return [
    figure('script before first paint, gzip', 'KiB', [script / 1_024], {
      limit: { name: 'The Lounge 4.5.2, measured before', values: [182] },
      note: `${chunks} chunks in all`,
    }),
    figure('styles before first paint, gzip', 'KiB', [styles / 1_024], {
      limit: { name: 'goal', values: [30] },
    }),
  ]
}
