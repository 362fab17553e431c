import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { CHROMIUM_FLAGS, findChromium } from './chromium.ts'
import { root } from './script.ts'

/**
 * Renders the app's icon to the files that packages need, so that packaging downloads no tool for it: pictures for
 * Linux, one file of several sizes each for Windows and macOS. Run by hand after the drawing changed.
 */
const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024] as const
const IN_ICO = [16, 24, 32, 48, 64, 128, 256]
/** By the names that macOS gives to sizes. Sizes of double density are listed separately. */
const IN_ICNS: readonly (readonly [name: string, size: number])[] = [
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
]

const folder = join(root, 'resources/icons')
mkdirSync(folder, { recursive: true })
const drawn = await draw()
for (const [size, picture] of drawn) writeFileSync(join(folder, `${size}x${size}.png`), picture)
writeFileSync(join(folder, 'icon.ico'), ico(IN_ICO.map((size) => [size, pictureOf(size)])))
writeFileSync(join(folder, 'icon.icns'), icns(IN_ICNS.map(([name, size]) => [name, pictureOf(size)])))

async function draw(): Promise<Map<number, Buffer>> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('No Chromium found to draw with')
  const drawing = readFileSync(join(root, 'resources/brand/app-icon.svg'), 'utf8')
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS] })
  const page = await browser.newPage()
  const pictures = new Map<number, Buffer>()
  for (const size of SIZES) {
    await page.setViewportSize({ width: size, height: size })
    await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${drawing}`)
    pictures.set(size, await page.screenshot({ omitBackground: true }))
  }
  await browser.close()
  return pictures
}

function pictureOf(size: number): Buffer {
  const picture = drawn.get(size)
  if (!picture) throw new Error(`Impossible: ${size} was not drawn`)
  return picture
}

/** A header, an entry for each picture, then the pictures as they are. 256 is written as 0. */
function ico(pictures: readonly (readonly [size: number, picture: Buffer])[]): Buffer {
  const head = Buffer.from([0, 0, 1, 0, pictures.length, 0])
  let offset = head.length + 16 * pictures.length
  const entries = pictures.map(([size, { length }]) => {
    const entry = Buffer.alloc(16)
    entry.set([size % 256, size % 256, 0, 0, 1, 0, 32, 0])
    entry.writeUInt32LE(length, 8)
    entry.writeUInt32LE(offset, 12)
    offset += length
    return entry
  })
  return Buffer.concat([head, ...entries, ...pictures.map(([, picture]) => picture)])
}

/** Name and length before each picture, and before all of them. */
function icns(pictures: readonly (readonly [name: string, picture: Buffer])[]): Buffer {
  const block = (name: string, content: Buffer): Buffer => {
    const head = Buffer.alloc(8)
    head.write(name, 'latin1')
    head.writeUInt32BE(head.length + content.length, 4)
    return Buffer.concat([head, content])
  }
  return block('icns', Buffer.concat(pictures.map(([name, picture]) => block(name, picture))))
}
