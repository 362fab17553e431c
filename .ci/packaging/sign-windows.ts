import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

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
