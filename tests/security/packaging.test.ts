import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { LINK_SCHEME } from '#shared/rules/desktop/deep-link.ts'
import { APP_ID } from '#main/hosts/rules/pages/app-id.ts'
import { fuses } from '#main/hosts/rules/network/fuses.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const at = (path: string): string => join(root, path)

/** The packager's own reader and judge of its file. They are no part of its interface: the version is pinned. */
const require = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
const { getConfig, validateConfiguration } = require('app-builder-lib/out/util/config/config') as {
  readonly getConfig: (folder: string, file: string | null, request: null) => Promise<Config>
  readonly validateConfiguration: (config: Config, log: unknown) => Promise<void>
}
const { DebugLogger } = require('builder-util') as { DebugLogger: new (isEnabled: boolean) => unknown }

type Platform = { readonly icon: string; readonly target: readonly unknown[] }
type Config = {
  readonly appId: string
  /** As the packager reads the list: one set of patterns. */
  readonly files: readonly { readonly filter: readonly string[] }[]
  readonly protocols: readonly { readonly schemes: readonly string[] }[]
  readonly electronFuses: Readonly<Record<string, boolean>>
  readonly linux: Platform & { readonly syncDesktopName: boolean }
  readonly mac: Platform & {
    readonly entitlements: string
    readonly extendInfo: Readonly<Record<string, string>>
    readonly extraResources: readonly { readonly from: string }[]
  }
  readonly win: Platform & { readonly verifyUpdateCodeSignature?: boolean }
  readonly publish: unknown
}

let config: Config
let files: readonly string[]
beforeAll(async () => {
  config = await getConfig(root, null, null)
  files = config.files.flatMap(({ filter }) => filter)
})

test('the packager takes its file as it is', async () => {
  await expect(validateConfiguration(config, new DebugLogger(false))).resolves.toBeUndefined()
})

test('systems know a package by the names that the running app gives them', () => {
  const { desktopName, main } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as Record<string, string>
  expect(config.appId).toEqual(APP_ID)
  expect(desktopName).toEqual(`${APP_ID}.desktop`)
  expect(config.linux.syncDesktopName).toBe(true)
  expect(config.protocols.flatMap(({ schemes }) => schemes)).toEqual([LINK_SCHEME])
  expect(main).toBe('out/main/electron.js')
})

test('every fuse that the packager knows is set as the app expects it', () => {
  expect(fuses()).toMatchObject(config.electronFuses)
  expect(Object.keys(config.electronFuses).length).toBeGreaterThanOrEqual(8)
})

test('newer versions come from where the packager is told, and from nowhere by themselves', () => {
  expect(config.publish).toEqual({ provider: 'generic', url: '${env.PARLOR_UPDATE_URL}' })
  expect(config.win.verifyUpdateCodeSignature ?? true).toBe(true)
})

describe('what a package holds', () => {
  /** Folders of `resources` that main reads while it runs, by the way it names them. */
  const read = (): Set<string> =>
    new Set(
      sources(at('main'))
        .map((path) => readFileSync(path, 'utf8'))
        .flatMap((text) => [...text.matchAll(/join\((?:\w+\.)*resources, '([\w-]+)'/g)].map(([, name = '']) => name)),
    )

  test('is every folder of resources that main reads', () => {
    expect([...read()].toSorted()).toEqual(expect.arrayContaining(['demo', 'locales', 'tray']))
    for (const name of read()) {
      expect(
        files.some((pattern) => pattern.startsWith(`resources/${name}/`)),
        name,
      ).toBe(true)
    }
  })

  test('is no source, no map, and one binary of the database', () => {
    expect(files).toEqual(expect.arrayContaining(['out/**', 'package.json', '!**/*.map']))
    expect(files.filter((pattern) => pattern.endsWith('.node'))).toEqual([
      'node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node',
    ])
  })
})

describe('icons', () => {
  const SIGNS = { 'icon.ico': '00000100', 'icon.icns': '69636e73' }

  test('are there for every system, in all sizes, so that none is made while packaging', () => {
    expect(config.linux.icon).toBe('resources/icons')
    expect(config.mac.icon).toBe('resources/icons/icon.icns')
    expect(config.win.icon).toBe('resources/icons/icon.ico')
    for (const size of [16, 24, 32, 48, 64, 128, 256, 512, 1024]) {
      const picture = readFileSync(at(`resources/icons/${size}x${size}.png`))
      expect(picture.readUInt32BE(16)).toEqual(size)
      expect(picture.readUInt32BE(20)).toEqual(size)
    }
    for (const [name, sign] of Object.entries(SIGNS)) {
      expect(
        readFileSync(at(`resources/icons/${name}`))
          .subarray(0, 4)
          .toString('hex'),
      ).toBe(sign)
    }
  })

  test('stand beside the clock for every mark in both ways, and count to nine on Windows', () => {
    const marks = ['plain', 'unread', 'mention', 'quiet', 'offline', 'attention']
    const counts = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'more'].map((name) => `count-${name}`)
    for (const name of [...marks.flatMap((mark) => [`color-${mark}`, `mono-${mark}`]), ...counts]) {
      const missing = ['', '@2x'].filter((density) => !existsSync(at(`resources/tray/${name}${density}.png`)))
      expect(missing, name).toEqual([])
    }
  })
})

describe('macOS', () => {
  test('is told what for the microphone and the place are, in every language, and allows no more than they need', () => {
    const usageKeys = Object.keys(config.mac.extendInfo).filter((key) => key.endsWith('UsageDescription'))
    expect(usageKeys.toSorted()).toEqual(['NSLocationWhenInUseUsageDescription', 'NSMicrophoneUsageDescription'])
    expect(config.mac.extraResources.map(({ from }) => from)).toEqual(['resources/mac'])
    for (const language of ['en', 'pl', 'ru']) {
      const text = readFileSync(at(`resources/mac/${language}.lproj/InfoPlist.strings`), 'utf8')
      for (const key of usageKeys) expect(text).toMatch(new RegExp(`"${key}" = "[^"]{10,}";`))
    }
    const allowed = [...readFileSync(at(config.mac.entitlements), 'utf8').matchAll(/<key>(.+)<\/key>/g)].map(
      ([, key]) => key,
    )
    expect(allowed).toEqual([
      'com.apple.security.cs.allow-jit',
      'com.apple.security.device.audio-input',
      'com.apple.security.personal-information.location',
    ])
  })

  test('shows buttons and the reply field of notifications', () => {
    expect(config.mac.extendInfo['NSUserNotificationAlertStyle']).toBe('alert')
  })
})

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sources(path)
    return path.endsWith('.ts') && !path.endsWith('.test.ts') ? [path] : []
  })
}
