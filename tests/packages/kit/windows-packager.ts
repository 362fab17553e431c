import { createRequire } from 'node:module'
import { electronBuilderConfig } from './config.ts'
import { root } from './root.ts'

type Manager = {
  readonly signFile: (request: { readonly path: string; readonly options: unknown }) => Promise<boolean>
}
const require = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
const { WindowsSignToolManager } = require('app-builder-lib/out/codeSign/windowsSignToolManager') as {
  readonly WindowsSignToolManager: new (packager: unknown) => Manager
}

/** electron-builder's own signing for Windows, with Parlor's configuration and a certificate of `WIN_CSC_LINK`. */
export async function windowsSigning(
  certificate: string,
  password: string,
): Promise<(path: string) => Promise<boolean>> {
  const { win } = await electronBuilderConfig()
  const packager = {
    platformSpecificBuildOptions: win,
    config: {},
    projectDir: root,
    getCscLink: () => certificate,
    getCscPassword: () => password,
    appInfo: {
      productName: 'Parlor',
      type: 'module',
      computePackageUrl: () => Promise.resolve('https://parlor.example'),
    },
    info: { getWorkspaceRoot: () => Promise.resolve(root) },
    signingManager: { value: Promise.resolve<Manager | undefined>(undefined) },
  }
  const manager = new WindowsSignToolManager(packager)
  packager.signingManager.value = Promise.resolve(manager)
  return (path) => manager.signFile({ path, options: win })
}
