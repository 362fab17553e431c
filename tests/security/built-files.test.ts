import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { APP_ORIGIN, APP_PAGE, SAFE_PAGE, csp } from '#main/hosts/rules/pages/serving.ts'
import { build } from '../../.ci/build.ts'

const out = fileURLToPath(new URL('../../out', import.meta.url))
let html = ''
let main = ''
let renderer = ''

beforeAll(() => {
  build()
  html = readFileSync(join(out, 'renderer', 'index.html'), 'utf8')
  main = scriptsIn('main')
  renderer = scriptsIn('renderer')
}, 120_000)

describe('the build', () => {
  test('the page carries its copy of the policy, letter by letter', () => {
    const content = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]
    expect(content?.replaceAll('&#39;', "'")).toBe(csp({ host: 'page' }))
  })

  test('the page has no inline script, style or handler', () => {
    const scripts = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
    expect(scripts.length).toBeGreaterThan(0)
    for (const [, attributes, body] of scripts) {
      expect(/\bsrc=/.test(attributes ?? '')).toBe(true)
      expect(body?.trim()).toBe('')
    }
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:|data:/i)
  })

  test('the list of served files is what the build contains, without source maps', () => {
    const listed = JSON.parse(readFileSync(join(out, 'renderer-files.json'), 'utf8')) as string[]
    expect(listed).toContain('/index.html')
    expect(listed.filter((path) => path.endsWith('.map'))).toEqual([])
    for (const path of listed) expect(() => readFileSync(join(out, 'renderer', path))).not.toThrow()
  })

  test.each([
    'nodeIntegration: true',
    'contextIsolation: false',
    'sandbox: false',
    'webSecurity: false',
    'webviewTag: true',
  ])('main never contains %s', (text) => {
    expect(main.length).toBeGreaterThan(10_000)
    expect(main).not.toContain(text)
  })

  test('addresses are passed to the system at exactly one place', () => {
    expect(main.match(/shell\.openExternal\(/g)).toHaveLength(1)
  })

  test('only Parlor’s own page, and the one that leads back to it, are ever loaded', () => {
    const loaded = [...main.matchAll(/\.loadURL\(([^)]*)\)/g)].map((match) => match[1] ?? '')
    expect(loaded.toSorted()).toEqual(['APP_PAGE', '`${APP_PAGE}${query}`', '`${SAFE_PAGE}${query}`'])
    expect([APP_PAGE, SAFE_PAGE].map((page) => page.startsWith(`${APP_ORIGIN}/`))).toEqual([true, true])
  })

  test('the page evaluates no text', () => {
    expect(renderer.length).toBeGreaterThan(10_000)
    expect(renderer).not.toMatch(/\beval\(|new Function\(|document\.write\(|insertAdjacentHTML\(/)
  })
})

function scriptsIn(folder: string): string {
  return readdirSync(join(out, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.c?js$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
}
