import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

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
