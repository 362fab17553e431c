import { join } from 'node:path'
import { flipFuses, FuseV1Options, FuseVersion, getCurrentFuseWire, type FuseV1Config } from '@electron/fuses'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** What electron-builder passes about the folder that it has just filled. */
export type PackedFolder = {
  readonly appOutDir: string
  readonly electronPlatformName: string
  readonly packager: {
    readonly executableName: string
    readonly appInfo: { readonly productFilename: string }
    readonly config: { readonly electronFuses: Readonly<Record<string, boolean>> }
  }
}

const BY_NAME: Readonly<Record<string, FuseV1Options>> = {
  runAsNode: FuseV1Options.RunAsNode,
  enableCookieEncryption: FuseV1Options.EnableCookieEncryption,
  enableNodeOptionsEnvironmentVariable: FuseV1Options.EnableNodeOptionsEnvironmentVariable,
  enableNodeCliInspectArguments: FuseV1Options.EnableNodeCliInspectArguments,
  enableEmbeddedAsarIntegrityValidation: FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
  onlyLoadAppFromAsar: FuseV1Options.OnlyLoadAppFromAsar,
  loadBrowserProcessSpecificV8Snapshot: FuseV1Options.LoadBrowserProcessSpecificV8Snapshot,
  grantFileProtocolExtraPrivileges: FuseV1Options.GrantFileProtocolExtraPrivileges,
}

/**
 * Sets every fuse: those of `electronFuses`, and the ninth, which electron-builder's list does not have. It is strict:
 * an Electron with a fuse that has no decision here fails the build. electron-builder sets its own eight again
 * afterwards, to the same values.
 */
export async function afterPack({ appOutDir, electronPlatformName, packager }: PackedFolder): Promise<void> {
  await setFuses(binaryOf(appOutDir, electronPlatformName, packager), packager.config.electronFuses)
}

export async function setFuses(binary: string, named: Readonly<Record<string, boolean>>): Promise<void> {
  const unknown = Object.keys(named).filter((name) => !(name in BY_NAME))
  if (unknown.length > 0) throw new Error(`Unknown fuses: ${unknown.join(', ')}.`)
  const fuses = Object.fromEntries(Object.entries(named).map(([name, value]) => [BY_NAME[name], value]))
  // Off, every access to the memory of WebAssembly would be checked one by one. Electron 33 has no such fuse.
  const hasNinth = FuseV1Options.WasmTrapHandlers in (await getCurrentFuseWire(binary))
  if (hasNinth) fuses[FuseV1Options.WasmTrapHandlers] = true
  await flipFuses(binary, { version: FuseVersion.V1, strictlyRequireAllFuses: true, ...fuses } as FuseV1Config)
}

function binaryOf(folder: string, platform: string, { executableName, appInfo }: PackedFolder['packager']): string {
  if (platform === 'darwin' || platform === 'mas') return join(folder, `${appInfo.productFilename}.app`)
  return join(folder, platform === 'win32' ? `${appInfo.productFilename}.exe` : executableName)
}

/** The request of electron-builder, once for each file and hash. */
type SignRequest = {
  readonly path: string
  readonly hash: string
  /** The certificate of WIN_CSC_LINK or CSC_LINK, if there is one. */
  readonly cscInfo: unknown
}
type OwnSigner = { readonly doSign: (request: SignRequest, packager: Packager) => Promise<unknown> }
export type Packager = { readonly signingManager: { readonly value: Promise<OwnSigner> } }

/**
 * Signs one file for Windows. With `PARLOR_WINDOWS_SIGNER`, by that program, which gets the path as its only argument
 * and signs the file in place: keys of code signing are in hardware or in a cloud. With a certificate in a file
 * (`WIN_CSC_LINK`), as electron-builder does it itself: by signtool on Windows, by osslsigncode elsewhere. With neither
 * it does not sign: `npm run package -- --signed` fails then.
 */
export async function sign(request: SignRequest, packager: Packager): Promise<void> {
  const signer = process.env['PARLOR_WINDOWS_SIGNER']
  if (signer !== undefined && signer !== '') await promisify(execFile)(signer, [request.path])
  else if (request.cscInfo) await (await packager.signingManager.value).doSign(request, packager)
}
