import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { LINK_SCHEME } from '#shared/rules/desktop/deep-link.ts'
import { APP_ID } from '#main/hosts/rules/pages/serving.ts'
import { electronBuilderConfig, validateConfig, type BuilderConfig } from '../packages/kit/config.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const at = (path: string): string => join(root, path)

let config: BuilderConfig
let files: readonly string[]
beforeAll(async () => {
  config = await electronBuilderConfig()
  files = config.files.flatMap(({ filter }) => filter)
})

test('the packager accepts its file as it is', async () => {
  await expect(validateConfig(config)).resolves.toBeUndefined()
})

test('systems know a package by the names that the running app uses', () => {
  const { desktopName, main } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as Record<string, string>
  expect(config.appId).toEqual(APP_ID)
  expect(desktopName).toEqual(`${APP_ID}.desktop`)
  expect(config.linux.syncDesktopName).toBe(true)
  expect(config.protocols.flatMap(({ schemes }) => schemes)).toEqual([LINK_SCHEME])
  expect(main).toBe('out/main/electron.js')
})

test('the menu entry of an AppImage does not turn the sandbox off', () => {
  expect(config.appImage['executableArgs']).toEqual([])
})

test('unknown settings are refused', async () => {
  await expect(
    validateConfig({ ...config, electronFuses: { ...config.electronFuses, runAsNodes: false } }),
  ).rejects.toThrow('configuration.electronFuses')
  await expect(validateConfig({ ...config, nsis: { ...config.nsis, silent: true } })).rejects.toThrow(
    'configuration.nsis',
  )
})

test('updates come from the configured address only', () => {
  expect(config.publish).toEqual({ provider: 'generic', url: '${env.PARLOR_UPDATE_URL}' })
  expect(config.win.verifyUpdateCodeSignature ?? true).toBe(true)
})

describe('contents of a package', () => {
  /** Folders of `resources` that main reads while it runs, by the way it names them. */
  const read = (): Set<string> =>
    new Set(
      sources(at('main'))
        .map((path) => readFileSync(path, 'utf8'))
        .flatMap((text) => [...text.matchAll(/join\((?:\w+\.)*resources, '([\w-]+)'/g)].map(([, name = '']) => name)),
    )

  test('are every folder of resources that main reads', () => {
    expect([...read()].toSorted()).toEqual(expect.arrayContaining(['demo', 'locales', 'tray']))
    for (const name of read()) {
      expect(
        files.some((pattern) => pattern.startsWith(`resources/${name}/`)),
        name,
      ).toBe(true)
    }
  })

  test('are no source, no map, and one binary of the database', () => {
    expect(files).toEqual(expect.arrayContaining(['out/**', 'package.json', '!**/*.map']))
    expect(files.filter((pattern) => pattern.endsWith('.node'))).toEqual([
      'node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node',
    ])
  })
})

describe('icons', () => {
  const SIGNS = { 'icon.ico': '00000100', 'icon.icns': '69636e73' }

  test('exist for every system, in all sizes, so that none is made while packaging', () => {
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

  test('of the tray exist for every state in both colors, and count to nine on Windows', () => {
    const marks = ['plain', 'unread', 'mention', 'quiet', 'offline', 'attention']
    const counts = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'more'].map((name) => `count-${name}`)
    for (const name of [...marks.flatMap((mark) => [`color-${mark}`, `mono-${mark}`]), ...counts]) {
      const missing = ['', '@2x'].filter((density) => !existsSync(at(`resources/tray/${name}${density}.png`)))
      expect(missing, name).toEqual([])
    }
  })
})

describe('Windows', () => {
  test('packages are an installer for one user or all, silent on request, and one for management software', () => {
    expect(config.win.target).toEqual(['nsis', 'msi'])
    expect(config.nsis).toMatchObject({ oneClick: false, perMachine: false, allowElevation: true })
    expect(config.msi).toMatchObject({ perMachine: true, runAfterFinish: false })
    // The ids by which Windows knows Parlor: another value would install a second Parlor beside the first.
    expect(config.nsis['guid']).toBe('9af49589-d4c4-5998-8f8c-bcad9053a77c')
    expect(config.msi['upgradeCode']).toBe('A8B929B5-2C36-5BBE-8941-4C58ED50CE9A')
  })

  test('an update or an uninstall removes no data', () => {
    expect(config.nsis['deleteAppDataOnUninstall']).toBe(false)
  })

  test('the installer has the languages of the app', () => {
    expect(config.nsis['installerLanguages']).toEqual(['en_US', 'pl_PL', 'ru_RU'])
  })

  test('every program and library is signed by the signing hook, with a hash that is still trusted', () => {
    expect(config.win.signtoolOptions.sign).toBe('./.ci/packaging/hooks.ts')
    expect(existsSync(at(config.win.signtoolOptions.sign))).toBe(true)
    expect(config.win.signtoolOptions.signingHashAlgorithms).toEqual(['sha256'])
    expect(config.win.signExts).toEqual(['.dll', '.node'])
    expect(config.win.requestedExecutionLevel).toBe('asInvoker')
  })
})

describe('macOS', () => {
  test('packages are what a user drags, what management software installs, and what updates need', () => {
    expect(config.mac.target).toEqual(['dmg', 'pkg', 'zip'])
    expect(config.pkg).toMatchObject({ installLocation: '/Applications', isRelocatable: false })
  })

  test('the program is ready for notarization, which the environment enables', () => {
    expect(config.mac.hardenedRuntime).toBe(true)
    expect(config.mac.entitlementsInherit).toEqual(config.mac.entitlements)
    // Set to false, it would be off for everyone.
    expect(config.mac.notarize).toBeUndefined()
  })

  test('gets a reason for the microphone and the location in every language, and allows no more than they need', () => {
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
