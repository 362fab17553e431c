import { execFileSync, spawnSync } from 'node:child_process'
import { generateKeyPairSync, verify } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { completeRelease, SUMS } from '../../.ci/packaging/release-files.ts'
import { sign, type Packager } from '../../.ci/packaging/hooks.ts'
import { windowsSigning } from './kit/windows-packager.ts'
import { smallProgram } from './kit/small-program.ts'
import { expect, packages, test } from './kit/installed.ts'
import { root } from './kit/root.ts'

const { newer, publicKey } = packages

let folder: string
test.beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'parlor-signing-'))))
test.afterEach(() => {
  for (const name of VARIABLES) delete process.env[name]
  rmSync(folder, { recursive: true, force: true })
})
const VARIABLES = [
  'PARLOR_UPDATE_SIGNING_KEY',
  'PARLOR_WINDOWS_SIGNER',
  'USE_SYSTEM_OSSLSIGNCODE',
  'ELECTRON_BUILDER_OFFLINE',
]

/** Whether the detached signature of a file is valid, given only the public key. */
function verifier(): (signature: string, file: string) => boolean {
  const gpg = (...args: readonly string[]): number | null =>
    spawnSync('gpg', ['--homedir', folder, '--batch', ...args]).status
  gpg('--import', publicKey)
  return (signature, file) => gpg('--verify', signature, file) === 0
}

test('packages and checksums have signatures that the public key verifies', () => {
  const isGood = verifier()
  const at = (name: string): string => join(newer.folder, name)
  const image = newer.appImage === undefined ? [] : [basename(newer.appImage)]
  const packed = ['parlor-0.1.0.tar.gz', 'parlor-0.1.0.x86_64.rpm', 'parlor_0.1.0_amd64.deb']
  const signed = readdirSync(newer.folder).filter((name) => name.endsWith('.asc'))
  expect(new Set(signed)).toEqual(new Set([SUMS, ...image, ...packed].map((name) => `${name}.asc`)))
  for (const name of [SUMS, ...image, ...packed]) expect(isGood(at(`${name}.asc`), at(name)), name).toBe(true)

  const sums = readFileSync(at(SUMS), 'utf8').trim().split('\n')
  const summed = sums.map((line) => line.slice(66))
  expect(summed).toEqual([...image, 'THIRD_PARTY_NOTICES.txt', 'parlor-0.1.0.cdx.json', ...packed])
  execFileSync('sha256sum', ['--check', '--quiet', SUMS], { cwd: newer.folder })

  // With one byte more, it is not what was signed.
  const changed = join(folder, SUMS)
  copyFileSync(at(SUMS), changed)
  appendFileSync(changed, '\n')
  expect(isGood(at(`${SUMS}.asc`), changed)).toBe(false)
})

test('an rpm has a signature in itself, too', () => {
  const keys = ['--dbpath', join(folder, 'keys')]
  execFileSync('rpmkeys', [...keys, '--import', publicKey])
  const check = (path: string): string =>
    execFileSync('rpmkeys', [...keys, '--checksig', path], { encoding: 'utf8' }).trim()
  expect(check(newer.rpm)).toBe(`${newer.rpm}: digests signatures OK`)
  expect(check(packages.older.rpm)).toBe(`${packages.older.rpm}: digests OK`)
})

test('without a key nothing is signed, and no signature of an earlier release remains', async () => {
  copyFileSync(newer.deb, join(folder, 'parlor_0.1.0_amd64.deb'))
  writeFileSync(join(folder, 'parlor_0.1.0_amd64.deb.asc'), 'that of another file')
  await completeRelease(root, folder, '0.1.0')
  expect(readdirSync(folder).toSorted()).toEqual(
    ['SHA256SUMS', 'THIRD_PARTY_NOTICES.txt', 'parlor-0.1.0.cdx.json', 'parlor_0.1.0_amd64.deb'].toSorted(),
  )
})

test('the list of versions is signed by the key of updates', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  process.env['PARLOR_UPDATE_SIGNING_KEY'] = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  copyFileSync(newer.deb, join(folder, basename(newer.deb)))
  copyFileSync(join(newer.folder, 'latest-linux.yml'), join(folder, 'latest-linux.yml'))
  await completeRelease(root, folder, '0.1.0')
  const list = readFileSync(join(folder, 'latest-linux.yml'), 'utf8')
  const signature = /^parlorSignature: (.+)$/m.exec(list)?.[1] ?? ''
  expect(Buffer.from(signature, 'base64')).toHaveLength(64)
  const files = [...list.matchAll(/- url: (.+)\n\s+sha512: (.+)\n\s+size: (\d+)/g)].map(
    ([, url = '', sha512 = '', size = '']) => ({ url, sha512, size: Number(size) }),
  )
  const image = newer.appImage === undefined ? [] : [basename(newer.appImage)]
  expect(files.map(({ url }) => url)).toEqual([...image, 'parlor_0.1.0_amd64.deb', 'parlor-0.1.0.x86_64.rpm'])
  const { signedText } = await import('#main/hosts/rules/network/update-feed.ts')
  expect(
    verify(null, Buffer.from(signedText({ version: '0.1.0', files })), publicKey, Buffer.from(signature, 'base64')),
  ).toBe(true)
})

/** A code-signing certificate and its key in one file, as Windows uses them. */
function newCertificate(): { readonly certificate: string; readonly pkcs12: string } {
  const at = (name: string): string => join(folder, name)
  const openssl = (...args: readonly string[]): void => void execFileSync('openssl', args, { stdio: 'pipe' })
  const subject = ['-subj', '/CN=Parlor of the test', '-addext', 'extendedKeyUsage=codeSigning']
  const files = ['-keyout', at('key.pem'), '-out', at('certificate.pem')]
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject, ...files)
  openssl(
    'pkcs12',
    '-export',
    '-inkey',
    at('key.pem'),
    '-in',
    at('certificate.pem'),
    '-passout',
    'pass:secret',
    '-out',
    at('key.p12'),
  )
  return { certificate: at('certificate.pem'), pkcs12: at('key.p12') }
}

function isSignedBy(certificate: string, program: string): boolean {
  const { status, stdout } = spawnSync('osslsigncode', ['verify', '-CAfile', certificate, '-in', program], {
    encoding: 'utf8',
  })
  return status === 0 && stdout.includes('CN=Parlor of the test')
}

test('a program for Windows is signed by the signer of the environment, in place', async () => {
  const { certificate, pkcs12 } = newCertificate()
  const program = join(folder, 'parlor.exe')
  writeFileSync(program, smallProgram())
  expect(isSignedBy(certificate, program)).toBe(false)
  const signer = join(folder, 'signer')
  writeFileSync(
    signer,
    `#!/bin/sh
set -e
osslsigncode sign -pkcs12 '${pkcs12}' -pass secret -h sha256 -n Parlor -in "$1" -out "$1.signed"
mv "$1.signed" "$1"
`,
  )
  chmodSync(signer, 0o755)
  process.env['PARLOR_WINDOWS_SIGNER'] = signer
  await sign({ path: program, hash: 'sha256', cscInfo: null }, noPackager)
  expect(isSignedBy(certificate, program)).toBe(true)
  await test.step('a changed program does not match the signature', () => {
    const bytes = readFileSync(program)
    bytes[0x200] = (bytes[0x200] ?? 0) ^ 1
    writeFileSync(program, bytes)
    expect(isSignedBy(certificate, program)).toBe(false)
  })
})

test('a signer that fails stops the packaging', async () => {
  process.env['PARLOR_WINDOWS_SIGNER'] = '/bin/false'
  await expect(sign({ path: join(folder, 'parlor.exe'), hash: 'sha256', cscInfo: null }, noPackager)).rejects.toThrow(
    '/bin/false',
  )
})

test('with a certificate in a file, electron-builder signs it itself, through the signing hook', async () => {
  const { certificate, pkcs12 } = newCertificate()
  const program = join(folder, 'parlor.exe')
  writeFileSync(program, smallProgram())
  process.env['USE_SYSTEM_OSSLSIGNCODE'] = 'true'
  // No time stamp: it would need a download.
  process.env['ELECTRON_BUILDER_OFFLINE'] = 'true'
  const signFile = await windowsSigning(pkcs12, 'secret')
  expect(await signFile(program)).toBe(true)
  expect(isSignedBy(certificate, program)).toBe(true)
})

const noPackager: Packager = {
  signingManager: { value: Promise.resolve({ doSign: () => Promise.reject(new Error('asked of electron-builder')) }) },
}
