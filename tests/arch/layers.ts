import { isTest, type Module } from './modules.ts'

/**
 * Which layer may import which. The first line whose `room` the file's path starts with applies; `may` lists path
 * beginnings, `packages` the npm packages and Node modules. Test files follow only the rule that nothing imports them.
 */
type Rule = { readonly room: string; readonly may: readonly string[]; readonly packages: readonly string[] }

const NODE = ['node:']
const REACT = ['react', 'react-dom', 'react-redux', 'redux', '@reduxjs/toolkit', 'i18next']

export const RULES: readonly Rule[] = [
  { room: 'shared/lib/', may: ['shared/lib/'], packages: ['valibot'] },
  { room: 'shared/constants.ts', may: [], packages: [] },
  { room: 'shared/domain/', may: ['shared/lib/', 'shared/domain/'], packages: [] },
  {
    room: 'shared/rules/markdown/',
    may: ['shared/lib/', 'shared/domain/', 'shared/rules/'],
    packages: ['markdown-it'],
  },
  {
    room: 'shared/rules/',
    may: ['shared/lib/', 'shared/domain/', 'shared/constants.ts', 'shared/rules/', 'shared/wire/errors.ts'],
    packages: [],
  },
  { room: 'shared/wire/', may: ['shared/lib/', 'shared/domain/', 'shared/wire/'], packages: [] },
  {
    room: 'shared/bridge/',
    may: ['shared/lib/', 'shared/domain/', 'shared/constants.ts', 'shared/bridge/'],
    packages: ['valibot'],
  },

  { room: 'main/lib/sqlite/', may: ['main/lib/'], packages: [...NODE, 'better-sqlite3'] },
  { room: 'main/lib/', may: ['shared/lib/', 'main/lib/', 'main/engine/ports.ts'], packages: [...NODE, 'ws'] },
  { room: 'main/cache/', may: ['shared/', 'main/lib/', 'main/cache/'], packages: NODE },
  {
    room: 'main/engine/',
    may: ['shared/', 'main/lib/', 'main/cache/', 'main/engine/'],
    packages: ['valibot', 'node:buffer', 'node:path', 'node:crypto'],
  },
  {
    room: 'main/server/store/',
    may: ['shared/', 'main/lib/', 'main/server/'],
    packages: [...NODE, 'valibot'],
  },
  {
    room: 'main/server/',
    may: ['shared/', 'main/lib/', 'main/server/'],
    packages: [
      ...NODE,
      'ws',
      'find-my-way',
      'busboy',
      'valibot',
      'markdown-it',
      'jpeg-js',
      'pngjs',
      'yauzl',
      'emojibase-data',
    ],
  },
  {
    room: 'main/desktop/',
    may: ['shared/', 'main/lib/', 'main/engine/', 'main/hosts/host.ts', 'main/desktop/'],
    packages: [],
  },
  { room: 'main/settings/', may: ['shared/', 'main/lib/', 'main/settings/'], packages: [...NODE, 'valibot'] },
  {
    room: 'main/bridge/',
    may: ['shared/', 'main/lib/', 'main/engine/', 'main/hosts/host.ts', 'main/bridge/'],
    packages: ['valibot'],
  },
  {
    room: 'main/hosts/electron/',
    may: [
      'shared/',
      'main/lib/',
      'main/settings/',
      'main/hosts/',
      'main/engine/ports.ts',
      'main/app/launch-options.ts',
    ],
    packages: [...NODE, 'electron', 'electron-store', 'ws', 'valibot', 'builder-util-runtime', 'electron-updater'],
  },
  {
    room: 'main/hosts/',
    may: [
      'shared/',
      'main/lib/',
      'main/settings/',
      'main/hosts/',
      'main/engine/ports.ts',
      'main/app/launch-options.ts',
    ],
    packages: [...NODE, 'conf', 'ws', 'valibot', 'proxy-agent', 'multicast-dns'],
  },
  {
    room: 'main/app/',
    may: ['shared/', 'main/'],
    packages: [...NODE, 'valibot', 'pkijs', 'asn1js', 'fflate', 'i18next'],
  },
  { room: 'main/entry/electron.ts', may: ['shared/', 'main/'], packages: [...NODE, 'electron'] },
  { room: 'main/entry/download-electron.ts', may: ['main/lib/'], packages: [...NODE, '@electron/get'] },
  { room: 'main/entry/', may: ['shared/', 'main/'], packages: NODE },

  { room: 'preload/', may: ['shared/', 'preload/'], packages: ['electron'] },

  { room: 'renderer/lib/', may: ['renderer/lib/'], packages: ['react', 'fflate', 'tinyld'] },
  {
    room: 'renderer/i18n/',
    may: ['shared/', 'renderer/i18n/', 'renderer/lib/', 'resources/locales/'],
    packages: ['i18next', 'react'],
  },
  {
    room: 'renderer/ui/',
    may: ['shared/', 'renderer/ui/', 'renderer/i18n/', 'renderer/lib/', 'renderer/styles/'],
    packages: ['react', 'react-dom'],
  },
  {
    room: 'renderer/store/',
    may: ['shared/', 'renderer/store/', 'renderer/lib/', 'renderer/bridge/'],
    packages: REACT,
  },
  {
    room: 'renderer/bridge/',
    may: ['shared/', 'renderer/bridge/', 'renderer/store/', 'renderer/lib/'],
    packages: REACT,
  },
  {
    room: 'renderer/registry/',
    may: ['shared/', 'renderer/registry/', 'renderer/store/', 'renderer/ui/', 'renderer/i18n/', 'renderer/lib/'],
    packages: REACT,
  },
  {
    room: 'renderer/features/',
    may: [
      'shared/',
      'renderer/features/',
      'renderer/registry/',
      'renderer/store/',
      'renderer/ui/',
      'renderer/i18n/',
      'renderer/lib/',
      'renderer/app/',
      'renderer/bridge/',
      'renderer/styles/',
      'resources/map/',
      'resources/locales/en/',
    ],
    packages: [...REACT, 'markdown-it', 'emojibase-data', 'pdfjs-dist', 'qr'],
  },
  { room: 'renderer/', may: ['shared/', 'renderer/', 'resources/locales/'], packages: REACT },
]

/** What builds and checks Parlor, and is not part of it. */
const TOOLS = /^(\.ci\/|electron\.vite\.config\.ts$)/

export type Violation = { readonly from: string; readonly imports: string; readonly why: string }

/** All breaches of {@link RULES}, cycles excluded (the linter looks for those). */
export function findViolations(modules: readonly Module[]): Violation[] {
  return modules.flatMap((module) => (isTest(module.path) || TOOLS.test(module.path) ? [] : violationsOf(module)))
}

function violationsOf(module: Module): Violation[] {
  const rule = RULES.find(({ room }) => module.path.startsWith(room))
  if (!rule) return [{ from: module.path, imports: '', why: 'no rule names its room' }]
  return module.imports.flatMap((name) => {
    const why = reason(rule, module.path, name)
    return why === undefined ? [] : [{ from: module.path, imports: name, why }]
  })
}

function reason(rule: Rule, from: string, name: string): string | undefined {
  const own = /^(shared|main|preload|renderer|tests|resources)\//.test(name)
  if (own && isTest(name)) return 'nothing but tests imports tests'
  const list = own ? rule.may : rule.packages
  if (!own && name === 'package.json') return undefined
  if (!list.some((begin) => (own || begin.endsWith(':') ? name.startsWith(begin) : name === begin)))
    return `${rule.room} may not import it`
  return featureReason(from, name)
}

const ENGINE_FEATURE = /^main\/engine\/features\/(manage\/)?[^/]+\/feature\.ts$/
const FEATURE = /^renderer\/features\/([^/]+)\//

function featureReason(from: string, name: string): string | undefined {
  if (ENGINE_FEATURE.test(name) && from !== 'main/engine/features/index.ts')
    return 'a feature of the engine is registered in one list'
  const here = FEATURE.exec(from)?.[1]
  const there = FEATURE.exec(name)?.[1]
  if (there === undefined || here === there || name.endsWith('/index.ts')) return undefined
  if (from === 'renderer/app/features.ts' && /\/feature\.tsx?$/.test(name)) return undefined
  return 'another feature is imported only through its index.ts'
}
