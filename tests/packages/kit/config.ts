import { createRequire } from 'node:module'
import { root } from './root.ts'

/**
 * The packager's own parser and validator of its file. They are not part of its public interface: the version is
 * pinned.
 */
const require = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
const { getConfig, validateConfiguration } = require('app-builder-lib/out/util/config/config') as {
  readonly getConfig: (folder: string, file: string | null, request: null) => Promise<BuilderConfig>
  readonly validateConfiguration: (config: object, log: unknown) => Promise<void>
}
const { DebugLogger } = require('builder-util') as { DebugLogger: new (isEnabled: boolean) => unknown }

type Platform = { readonly icon: string; readonly target: readonly unknown[] }
export type BuilderConfig = {
  readonly appId: string
  readonly productName: string
  /** As the packager reads the list: one set of patterns. */
  readonly files: readonly { readonly filter: readonly string[] }[]
  readonly protocols: readonly { readonly schemes: readonly string[] }[]
  readonly electronFuses: Readonly<Record<string, boolean>>
  readonly linux: Platform & { readonly syncDesktopName: boolean; readonly category: string }
  readonly mac: Platform & {
    readonly hardenedRuntime: boolean
    readonly notarize?: boolean
    readonly entitlements: string
    readonly entitlementsInherit: string
    readonly extendInfo: Readonly<Record<string, string>>
    readonly extraResources: readonly { readonly from: string }[]
  }
  readonly win: Platform & {
    readonly verifyUpdateCodeSignature?: boolean
    readonly signtoolOptions: { readonly sign: string; readonly signingHashAlgorithms: readonly string[] }
    readonly requestedExecutionLevel: string
    readonly signExts: readonly string[]
  }
  readonly appImage: Readonly<Record<string, unknown>>
  readonly nsis: Readonly<Record<string, unknown>>
  readonly msi: Readonly<Record<string, unknown>>
  readonly dmg: Readonly<Record<string, unknown>>
  readonly pkg: Readonly<Record<string, unknown>>
  readonly publish: unknown
  readonly afterPack: string
}

/** electron-builder.yml as electron-builder reads it. */
export const electronBuilderConfig = (): Promise<BuilderConfig> => getConfig(root, null, null)

/** Throws for what electron-builder refuses. */
export const validateConfig = (config: object): Promise<void> => validateConfiguration(config, new DebugLogger(false))
