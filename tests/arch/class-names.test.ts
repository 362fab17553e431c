import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { shortNames, styleModules } from '../../.ci/page-files.ts'

const renderer = fileURLToPath(new URL('../../renderer', import.meta.url))
const modules = styleModules(renderer).map((file) => ({ file, css: readFileSync(file, 'utf8') }))
const animationsOf = (css: string): string[] => [...css.matchAll(/@keyframes ([\w-]+)/g)].map((match) => match[1] ?? '')

test('every class has a short name of its own, the same however often it is asked for', () => {
  const nameOf = shortNames(renderer)
  const again = shortNames(renderer)
  const names = modules.flatMap(({ file, css }) => {
    const classes = new Set([...css.matchAll(/^\.([a-z]\w*)/gim)].map((match) => match[1] ?? ''))
    return [...classes].map((name) => {
      expect(again(name, `${file}?used`)).toBe(nameOf(name, file))
      return nameOf(name, file)
    })
  })
  expect(names.length).toBeGreaterThan(1_000)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !/^[a-z][a-z0-9]{1,2}$/i.test(name))).toEqual([])
})

test('a class that its file does not have is refused', () => {
  const [first] = modules
  expect(() => shortNames(renderer)('nowhere', first?.file ?? '')).toThrow('no class or animation nowhere')
})

test('every animation that a style names moves something', () => {
  const nameOf = shortNames(renderer)
  const global = animationsOf(readFileSync(join(renderer, 'styles/global.css'), 'utf8'))
  const dead = modules.flatMap(({ file, css }) => {
    const own = animationsOf(css)
    const used = [...css.matchAll(/^\s*animation(?:-name)?: ([^;]+);/gm)].flatMap((match) =>
      (match[1] ?? '').split(/[\s,]+/),
    )
    const named = used.filter(
      (word) => /^[a-z][\w-]*$/.test(word) && (own.includes(word) || word.startsWith('parlor-')),
    )
    return named
      .filter((name) => !own.includes(name) && (!global.includes(name) || nameOf(name, file) !== name))
      .map((name) => `${basename(file)}: ${name}`)
  })
  expect(dead).toEqual([])
})
