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
import { basename, dirname, join } from 'node:path'
import { completeRelease, SUMS } from '../../.ci/packaging/release-files.ts'
import { sign, type Packager } from '../../.ci/packaging/sign-windows.ts'
import { windowsSigning } from './kit/windows-packager.ts'
import { smallProgram } from './kit/small-program.ts'
import { expect, packages, test } from './kit/installed.ts'
import { root } from './kit/root.ts'

const { newer } = packages
const SIGNER = 'Releases of the test <releases@parlor.example>'

let folder: string
test.beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'parlor-signing-'))))
test.afterEach(() => {
  if (process.env['GNUPGHOME']) spawnSync('gpgconf', ['--kill', 'all'])
  for (const name of VARIABLES) delete process.env[name]
  rmSync(folder, { recursive: true, force: true })
})
const VARIABLES = [
  'GNUPGHOME',
  'PARLOR_SIGN_AS',
  'PARLOR_SIGN_UNLOCK',
  'PARLOR_UPDATE_SIGNING_KEY',
  'PARLOR_WINDOWS_SIGNER',
  'USE_SYSTEM_OSSLSIGNCODE',
  'ELECTRON_BUILDER_OFFLINE',
]

/** A key that is made on the spot, locked by a passphrase. Its public half is the only thing that a verifier has. */
function newKey(): { readonly verifierHome: string } {
  const [home, verifierHome] = ['signer', 'verifier'].map((name) => mkdtempSync(join(folder, name))) as [string, string]
  const unlock = join(folder, 'passphrase')
  writeFileSync(unlock, 'made for one test', { mode: 0o600 })
  process.env['GNUPGHOME'] = home
  const batch = ['--batch', '--pinentry-mode', 'loopback', '--passphrase-file', unlock]
  gpg(...batch, '--quick-generate-key', SIGNER, 'ed25519', 'sign', '1d')
  const exported = join(folder, 'key.asc')
  gpg('--armor', '--output', exported, '--export', SIGNER)
  gpg('--homedir', verifierHome, '--batch', '--import', exported)
  process.env['PARLOR_SIGN_AS'] = SIGNER
  process.env['PARLOR_SIGN_UNLOCK'] = unlock
  return { verifierHome }
}

const gpg = (...args: readonly string[]): string =>
  execFileSync('gpg', ['--quiet', ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const isGood = (verifierHome: string, file: string): boolean =>
  spawnSync('gpg', ['--homedir', verifierHome, '--verify', `${file}.asc`, file]).status === 0

test('deb, rpm, tar.gz and the checksums have signatures that their public key verifies', async () => {
  for (const path of [newer.deb, newer.rpm, join(newer.folder, 'parlor-0.1.0.tar.gz')])
    copyFileSync(path, join(folder, basename(path)))
  const { verifierHome } = newKey()
  await completeRelease(root, folder, '0.1.0')
  const signed = readdirSync(folder).filter((name) => name.endsWith('.asc') && name !== 'key.asc')
  expect(signed.toSorted()).toEqual(
    [
      'SHA256SUMS.asc',
      'parlor-0.1.0.tar.gz.asc',
      'parlor-0.1.0.x86_64.rpm.asc',
      'parlor_0.1.0_amd64.deb.asc',
    ].toSorted(),
  )
  for (const name of signed) expect(isGood(verifierHome, join(folder, name.replace(/\.asc$/, ''))), name).toBe(true)

  const sums = readFileSync(join(folder, SUMS), 'utf8')
  expect(
    sums
      .trim()
      .split('\n')
      .map((line) => line.slice(66)),
  ).toEqual([
    'THIRD_PARTY_NOTICES.txt',
    'parlor-0.1.0.cdx.json',
    'parlor-0.1.0.tar.gz',
    'parlor-0.1.0.x86_64.rpm',
    'parlor_0.1.0_amd64.deb',
  ])
  execFileSync('sha256sum', ['--check', '--quiet', SUMS], { cwd: folder })

  await test.step('a byte more, and neither fits', () => {
    appendFileSync(join(folder, basename(newer.deb)), '\n')
    expect(isGood(verifierHome, join(folder, basename(newer.deb)))).toBe(false)
    expect(spawnSync('sha256sum', ['--check', '--quiet', SUMS], { cwd: folder }).status).not.toBe(0)
  })
})

test('an rpm has its signature in itself, too', () => {
  const pack = (name: string): string => {
    const packed = join(folder, name)
    writeFileSync(join(folder, 'file'), 'what is packed')
    const about = ['--name', 'small', '--version', '1', '--description', 'Small', '--license', 'Apache-2.0']
    const args = ['-s', 'dir', '-t', 'rpm', '--architecture', 'amd64', ...about, '--package', packed]
    execFileSync(join(root, '.ci/packaging/fpm.ts'), [...args, `${join(folder, 'file')}=/opt/small/file`], {
      env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
    })
    return packed
  }
  const keys = join(folder, 'keys')
  const check = (path: string): string =>
    execFileSync('rpmkeys', ['--dbpath', keys, '--checksig', path], { encoding: 'utf8' }).trim()
  newKey()
  const signed = pack('signed.rpm')
  delete process.env['PARLOR_SIGN_AS']
  const unsigned = pack('unsigned.rpm')
  execFileSync('rpmkeys', ['--dbpath', keys, '--import', join(folder, 'key.asc')])
  expect(check(signed)).toBe(`${signed}: digests signatures OK`)
  expect(check(unsigned)).toBe(`${unsigned}: digests OK`)
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
  expect(files.map(({ url }) => url)).toEqual(['parlor_0.1.0_amd64.deb', 'parlor-0.1.0.x86_64.rpm'])
  const { signedText } = await import('#main/hosts/rules/network/update-feed.ts')
  expect(
    verify(null, Buffer.from(signedText({ version: '0.1.0', files })), publicKey, Buffer.from(signature, 'base64')),
  ).toBe(true)
})

/** A certificate for code, and its key in one file, as Windows has them. */
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
  await test.step('a changed program is not that of the signature', () => {
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

test('with a certificate in a file, electron-builder signs it itself, as our hook asks', async () => {
  const { certificate, pkcs12 } = newCertificate()
  const program = join(folder, 'parlor.exe')
  writeFileSync(program, smallProgram())
  process.env['USE_SYSTEM_OSSLSIGNCODE'] = 'true'
  // No time stamp: it would be fetched.
  process.env['ELECTRON_BUILDER_OFFLINE'] = 'true'
  const signFile = await windowsSigning(pkcs12, 'secret')
  expect(await signFile(program)).toBe(true)
  expect(isSignedBy(certificate, program)).toBe(true)
})

const noPackager: Packager = {
  signingManager: { value: Promise.resolve({ doSign: () => Promise.reject(new Error('asked of electron-builder')) }) },
}
