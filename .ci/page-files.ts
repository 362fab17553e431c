import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, Visitor, type Rolldown } from 'vite'

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

/** Where plain scripts leave lists of what they export, by the names of their chunks. */
const EXPORTS = 'self.parlorChunks'

/**
 * Makes plain scripts of what a page loads before it paints: Chromium keeps the compiled code of plain scripts, but
 * compiles modules that it gets over HTTP again at each start. What loads later stays a module, and takes what it needs
 * from `self.parlorChunks`. Of them, an entry of its own runs as soon as it is there; the others wait for the page and
 * its styles.
 *
 * @param page name of the page and of its entry, without `.html`
 */
export function plainScripts(page: string): Plugin {
  return {
    name: 'parlor-plain-scripts',
    apply: 'build',
    renderChunk: {
      order: 'post',
      handler(code, chunk, _options, { chunks }) {
        const plain = new Map(
          [...startOf(page, Object.values(chunks))].map(([file, name]) => [
            file,
            { name, exports: chunks[file]?.exports ?? [] },
          ]),
        )
        const folder = chunk.fileName.replace(/[^/]*$/, '')
        const body = rewritten(code, this.parse(code), {
          taken: (source) => plain.get(source.replace('./', folder)),
          exportsTo: plain.get(chunk.fileName),
        })
        return body === code ? null : { code: body, map: null }
      },
    },
    generateBundle: {
      // After the minifier, which knows no plain scripts, and after the list of styles is in.
      order: 'post',
      handler(_options, bundle) {
        for (const file of startOf(page, chunksOf(bundle)).keys()) {
          const chunk = bundle[file]
          if (chunk?.type !== 'chunk') continue
          const [code = '', source = ''] = chunk.code.split(/^(?=\/\/# sourceMappingURL=)/m)
          chunk.code = `(parlorMeta=>{"use strict";\n${code.replaceAll('import.meta', 'parlorMeta')}})({url:document.currentScript.src});\n${source}`
          const map = bundle[`${file}.map`]
          if (map?.type === 'asset') map.source = moved(String(map.source))
        }
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { filename, bundle = {} }) {
        if (!filename.endsWith(`/${page}.html`)) return html
        const chunks = chunksOf(bundle)
        const files = [...startOf(page, chunks).keys()]
        const withoutStart = html.replace(
          / *<(?:script type="module"[^>]*><\/script|link rel="modulepreload"[^>]*)>\n?/g,
          (tag) => (files.some((file) => tag.includes(file)) ? '' : tag),
        )
        const isEarly = (file: string): boolean =>
          chunks.some(({ fileName, isEntry, name }) => fileName === file && isEntry && name !== page)
        const tagsOf = (wanted: readonly string[], how: string): string =>
          wanted.map((file) => `    <script ${how}src="./${file}"></script>\n`).join('')
        const styles = withoutStart.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? []
        const [first] = styles
        if (first === undefined) throw new Error('The page has no place for its scripts.')
        // All of it is on its way when the page stops at the early script.
        const start = [
          ...styles.map((tag) => tag.replace('rel="stylesheet"', 'rel="preload" as="style"')),
          tagsOf(
            files.filter((file) => !isEarly(file)),
            'defer ',
          ),
          tagsOf(files.filter(isEarly), ''),
        ]
        return withoutStart.replace(first, `${start.join('')}${first}`)
      },
    },
  }
}

/** A source map of a script that begins one line later. */
function moved(text: string): string {
  const map = JSON.parse(text) as { mappings: string }
  return JSON.stringify({ ...map, mappings: `;${map.mappings}` })
}

type Chunk = Pick<Rolldown.RenderedChunk, 'name' | 'isEntry' | 'imports' | 'fileName'>

const chunksOf = (bundle: Rolldown.OutputBundle): readonly Chunk[] =>
  Object.values(bundle).filter((each) => each.type === 'chunk')

/** The chunks that the entry of a page needs: their names by their files, each after those it imports. */
function startOf(page: string, chunks: readonly Chunk[]): ReadonlyMap<string, string> {
  const byFile = new Map(chunks.map((each) => [each.fileName, each]))
  const found = new Map<string, string>()
  const add = ({ fileName, name, imports }: Chunk): void => {
    if (found.has(fileName)) return
    for (const file of imports) {
      const imported = byFile.get(file)
      if (imported !== undefined) add(imported)
    }
    found.set(fileName, name)
  }
  const entry = chunks.find(({ isEntry, name }) => isEntry && name === page)
  if (entry !== undefined) add(entry)
  return found
}

type How = {
  /** The plain script at an address, if it is one. */
  readonly taken: (source: string) => Plain | undefined
  /** Set in a plain script: its own. */
  readonly exportsTo: Plain | undefined
}

/** The order of the exports is that of their list: with their names, it would be a kilobyte longer, gzip. */
type Plain = { readonly name: string; readonly exports: readonly string[] }

function placeIn({ name, exports }: Plain, wanted: string): number {
  const at = exports.indexOf(wanted)
  if (at < 0) throw new Error(`${name} does not export ${wanted}.`)
  return at
}

type Program = ReturnType<Rolldown.PluginContext['parse']>

function rewritten(code: string, program: Program, how: How): string {
  let out = ''
  let at = 0
  const changing = how.exportsTo === undefined ? new Set<string>() : changingIn(program)
  const replace = (node: { start: number; end: number }, text: string): void => {
    out += code.slice(at, node.start) + text
    at = node.end
  }
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') {
      const plain = how.taken(node.source.value)
      if (plain !== undefined) {
        const parts = node.specifiers.map((each) => {
          if (each.type !== 'ImportSpecifier')
            throw new Error(`A plain script cannot be imported as a whole: ${plain.name}`)
          return `${placeIn(plain, nameOf(each.imported))}:${each.local.name}`
        })
        replace(node, parts.length === 0 ? '' : `const{${parts.join(',')}}=${EXPORTS}[${JSON.stringify(plain.name)}];`)
      } else if (how.exportsTo !== undefined) throw new Error(`A plain script imports a module: ${node.source.value}`)
    } else if (node.type === 'ExportNamedDeclaration' && how.exportsTo !== undefined) {
      if (node.declaration !== null || node.source !== null) throw new Error('An export of a plain script is no list.')
      const moving = node.specifiers.map(({ local }) => nameOf(local)).filter((name) => changing.has(name))
      if (moving.length > 0)
        throw new Error(
          `${moving.join(', ')}: a plain script exports what does not change. A variable of that name inside of it needs another.`,
        )
      const { name, exports } = how.exportsTo
      const locals = new Map(node.specifiers.map(({ exported, local }) => [nameOf(exported), nameOf(local)]))
      if (locals.size !== exports.length) throw new Error(`The exports of ${name} are not those it is listed with.`)
      const list = exports.map((each) => locals.get(each)).join(',')
      replace(node, `(${EXPORTS}??={})[${JSON.stringify(name)}]=[${list}];`)
    } else if (node.type === 'ExportDefaultDeclaration' || node.type === 'ExportAllDeclaration') {
      if (how.exportsTo !== undefined) throw new Error('A plain script exports by name.')
    }
  }
  return out + code.slice(at)
}

/** Variables of a script that get another value later. */
function changingIn(program: Program): ReadonlySet<string> {
  const assigned = new Set<string>()
  const add = (node: { type: string; name?: string }): void => {
    if (node.type === 'Identifier') assigned.add(node.name ?? '')
  }
  new Visitor({
    AssignmentExpression: ({ left }) => add(left),
    UpdateExpression: ({ argument }) => add(argument),
  }).visit(program)
  const variables = program.body.flatMap((node) =>
    node.type === 'VariableDeclaration' && node.kind !== 'const' ? node.declarations.map(({ id }) => nameOf(id)) : [],
  )
  return new Set(variables.filter((name) => assigned.has(name)))
}

const nameOf = (node: { type: string; name?: string; value?: unknown }): string =>
  node.type === 'Identifier' ? (node.name ?? '') : JSON.stringify(node.value ?? '')

const STYLES = /\.module\.css$/
const COMMENT = /\/\*.*?\*\//gs
/** A class, or the name of an animation. What else looks like one takes a number and no more. */
const NAME = /\.([a-z_][\w-]*)|@keyframes\s+([\w-]+)/gi
const FIRST = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const REST = `${FIRST}0123456789`
/** Animations of global.css, which the style modules name. */
const GLOBAL = /^parlor-/

/**
 * Names of two or three letters for the classes and animations of the style modules under a folder. They depend on the
 * sources alone: a module that another one composes is read again, in any order, and gets the same names. Throws for a
 * name that the file does not have.
 */
export function shortNames(folder: string): (name: string, file: string) => string {
  const names = new Map<string, string>()
  for (const file of styleModules(folder)) {
    const css = readFileSync(file, 'utf8').replaceAll(COMMENT, '')
    for (const [, className, animation] of css.matchAll(NAME)) {
      const key = `${file}\n${className ?? animation}`
      if (!names.has(key)) names.set(key, short(names.size))
    }
  }
  return (name, file) => {
    if (GLOBAL.test(name)) return name
    const found = names.get(`${file.replace(/[?#].*$/, '')}\n${name}`)
    if (found === undefined) throw new Error(`There is no class or animation ${name} in ${file}.`)
    return found
  }
}

/** Every style module under a folder, by its path. */
export const styleModules = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => STYLES.test(path))
    .toSorted()
    .map((path) => join(folder, path))

function short(count: number): string {
  const first = FIRST.charAt(count % FIRST.length)
  const rest = Math.floor(count / FIRST.length)
  const middle = rest < REST.length ? '' : REST.charAt(Math.floor(rest / REST.length) - 1)
  return first + middle + REST.charAt(rest % REST.length)
}

const IMPORT = /^import (\w+) from ('[^']+\.module\.css')/gm

/**
 * Writes class names where they are used: `styles['row']` becomes the name itself. As the properties of an object, all
 * names of a module would be in the script, used or not, each with its key.
 */
const namesAtUse: Plugin = {
  name: 'parlor-names-at-use',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\.tsx?$/ },
    handler(code) {
      let changed = code
      for (const [, styles = '', from = ''] of code.matchAll(IMPORT)) {
        const names = `${styles}Names`
        const used = changed.replaceAll(new RegExp(`\\b${styles}\\['([a-z]\\w*)'\\]`, 'gi'), `${names}.$1`)
        if (used !== changed) changed = `${used}\nimport * as ${names} from ${from}\n`
      }
      return changed === code ? undefined : { code: changed, map: null }
    },
  },
}

/** A module whose names are all written at their use would not be in any script, and its styles would be lost. */
const stylesStay: Plugin = {
  name: 'parlor-styles-stay',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: STYLES },
    handler: (code) => ({ code, map: null, moduleSideEffects: 'no-treeshake' }),
  },
}

export const classNames: readonly Plugin[] = [namesAtUse, stylesStay]
