import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { scriptFlags } from './script.ts'
import { signedText, type ListedVersion } from '../main/hosts/rules/network/update-feed.ts'

const HELP = `Signs lists of versions (latest*.yml) as the packager wrote them, before they are uploaded.

  node main/entry/run.mjs .ci/sign-feed.ts FILE...
  node main/entry/run.mjs .ci/sign-feed.ts --new-key

  --new-key   print a new pair of keys: the private key, and the value of MAIN_VITE_UPDATE_KEY during a build
  --help      show this

The private key (Ed25519, PEM) is read from PARLOR_UPDATE_SIGNING_KEY.`

const FIELD = 'parlorSignature'

/** The list with its signature as the last line; replaces an earlier one. */
export function signedFeed(text: string, privateKey: string): string {
  const bare = text.replace(new RegExp(`^${FIELD}:.*\\n?`, 'm'), '')
  const signature = sign(null, Buffer.from(signedText(listed(bare))), createPrivateKey(privateKey))
  return `${bare.endsWith('\n') ? bare : `${bare}\n`}${FIELD}: ${signature.toString('base64')}\n`
}

/** As the packager writes it, one value per line. */
function listed(text: string): ListedVersion {
  const valueOf = (part: string, name: string): string =>
    new RegExp(`^[ -]*${name}: *['"]?([^'"\\n]+)['"]?$`, 'm').exec(part)?.[1] ?? ''
  const [, list = ''] = /^files:\n((?:[ -].*\n?)+)/m.exec(text) ?? []
  const files = list
    .split(/^ *- /m)
    .filter((part) => part.trim() !== '')
    .map((part) => ({
      url: valueOf(part, 'url'),
      sha512: valueOf(part, 'sha512'),
      size: Number(valueOf(part, 'size')),
    }))
  const version = valueOf(text, 'version')
  if (version === '' || files.length === 0) throw new Error('This is not a list of versions that the packager wrote.')
  return { version, files }
}

export function newKeys(): { readonly privateKey: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  }
}

if (import.meta.main) {
  const { values, positionals: files } = scriptFlags(
    HELP,
    { 'new-key': { type: 'boolean' } },
    { positionals: Infinity },
  )
  if (values['new-key']) {
    const { privateKey, publicKey } = newKeys()
    console.log(`${privateKey}MAIN_VITE_UPDATE_KEY=${publicKey}`)
  } else {
    const key = process.env['PARLOR_UPDATE_SIGNING_KEY']
    if (key === undefined || files.length === 0) throw new Error('Name the files, and set PARLOR_UPDATE_SIGNING_KEY.')
    for (const file of files) writeFileSync(file, signedFeed(readFileSync(file, 'utf8'), key))
  }
}
