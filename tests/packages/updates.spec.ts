import { execFileSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import type { ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
import { newKeys, signedFeed } from '../../.ci/sign-feed.ts'
import { ORDINARY_USER } from '../electron/kit/installation.ts'
import type { Screen } from '../e2e/kit/screen.ts'
import type { Desktop } from '../electron/kit/desktop.ts'
import { Feed, LIST, listOfBytes, text } from './kit/feed.ts'
import { CID, expect, packages, Started, test } from './kit/installed.ts'
import { PasswordDialog } from './kit/password-dialog.ts'
import { systemRpm } from './kit/system-rpm.ts'
import { expectEnded, programsOf, Restarted } from './kit/restarted.ts'
import { LONG } from '#kit/parts.ts'

/** Packages that find newer versions by themselves. All tests listen at the one address that it names. */
const { older, newer, updates } = packages
test.describe.configure({ mode: 'serial' })

let feed: Feed
test.beforeEach(async () => void (feed = await Feed.serve(updates)))
test.afterEach(async ({ desktop }) => {
  // A Parlor that restarted itself is not a child of the failed test.
  for (const pid of programsOf(desktop)) process.kill(pid, 'SIGKILL')
  await feed.stop()
})

const UNTRUSTED = 'The update isn’t signed correctly or is damaged, so it was deleted. Parlor hasn’t changed.'
const UNREACHABLE = 'Couldn’t check for updates. Check your connection and try again later.'
const NOT_DOWNLOADED = 'Couldn’t download the update. Check your connection and try again later.'
const NO_SPACE = 'There isn’t enough free space to download the update. Free some space and try again.'

const DECLINED =
  'The update wasn’t installed because the administrator’s password wasn’t entered. Parlor hasn’t changed.'

const FILE = 'parlor_0.0.10_amd64.deb'
const BYTES = 'what installs version 0.0.10'
const LISTED = listOfBytes('0.0.10', FILE, BYTES)

type Refusal = {
  readonly what: string
  readonly list: () => string
  /** The file of the list, if it is requested. */
  readonly file?: (response: ServerResponse) => void
  readonly says: string
}

const REFUSALS: readonly Refusal[] = [
  { what: 'a list without a signature', list: () => LISTED, says: UNTRUSTED },
  { what: 'one signed by another key', list: () => signedFeed(LISTED, newKeys().privateKey), says: UNTRUSTED },
  {
    what: 'one that was changed after it was signed',
    list: () => feed.signed(LISTED).replace('version: 0.0.10', 'version: 0.0.11'),
    says: UNTRUSTED,
  },
  { what: 'a page of a hotel', list: () => '<html>Sign in to the network</html>', says: UNREACHABLE },
  { what: 'half a list', list: () => feed.signed(LISTED).slice(0, 40), says: UNTRUSTED },
  { what: 'an endless list', list: () => `# ${'x'.repeat(2_000_000)}\n${feed.signed(LISTED)}`, says: UNREACHABLE },
  {
    what: 'a file with another checksum',
    list: () => feed.signed(LISTED),
    file: text(BYTES.replace('version', 'Version')),
    says: UNTRUSTED,
  },
  {
    what: 'a file of another size',
    list: () => feed.signed(listOfBytes('0.0.10', FILE, BYTES, 5)),
    file: text(BYTES),
    says: UNTRUSTED,
  },
  {
    what: 'a download that breaks off',
    list: () => feed.signed(LISTED),
    file: (response) => {
      response.writeHead(200, { 'content-length': BYTES.length }).write(BYTES.slice(0, 5))
      setImmediate(() => response.destroy())
    },
    says: NOT_DOWNLOADED,
  },
  {
    what: 'a file at an address that is not encrypted',
    list: () => feed.signed(LISTED),
    file: (response) => void response.writeHead(302, { location: `http://localhost:${updates.port}/${FILE}x` }).end(),
    says: NOT_DOWNLOADED,
  },
  {
    what: 'a file for which the disk has no room',
    list: () => feed.signed(listOfBytes('0.0.10', FILE, BYTES, 10 ** 15)),
    says: NO_SPACE,
  },
]

test(
  'a wrong list or file and a full disk are refused with a clear message, and Parlor continues',
  LONG,
  async ({ machine, desktop }) => {
    await machine.done('dpkg', '--install', older.deb)
    const cache = join(desktop.home, '.cache/parlor-updater')
    mkdirSync(cache, { recursive: true })
    execFileSync('chown', ['-R', `${ORDINARY_USER}:${ORDINARY_USER}`, join(desktop.home, '.cache')])
    // The folder of downloads is a small separate disk, which only Parlor sees.
    const small = `mount -t tmpfs -o size=${DISK},uid=${ORDINARY_USER},gid=${ORDINARY_USER} tmpfs ${cache}`
    const parlor = await Started.start(machine.asUserAfter(small, '/opt/Parlor/parlor'), desktop)
    const { screen } = parlor
    const [pid, ...others] = programsOf(desktop)
    expect(pid).toBeDefined()
    expect(others).toEqual([])
    /** As Parlor sees it. */
    const disk = `/proc/${pid}/root${cache}`
    const downloads = join(disk, 'pending')
    await screen.send(CID, 'Before all of this')
    await openUpdates(screen)

    for (const { what, list, file, says } of REFUSALS) {
      await test.step(what, async () => {
        feed.publish({ [LIST]: text(list()), ...(file ? { [`/${FILE}`]: file } : {}) })
        await check(screen)
        await expect(problem(screen)).toHaveText(says)
        expect(filesIn(downloads)).toEqual([])
        await forget(screen)
      })
    }

    await test.step('no list at all, and one that leads to an address that is not encrypted', async () => {
      feed.publish({})
      await check(screen)
      await expect(problem(screen)).toHaveText(UNREACHABLE)
      await forget(screen)
      feed.publish({
        [LIST]: (response) =>
          void response.writeHead(302, { location: `http://localhost:${updates.port}/other` }).end(),
        '/other': text(feed.signed(LISTED)),
      })
      await check(screen)
      await expect(problem(screen)).toHaveText(UNREACHABLE)
      expect(feed.asked).not.toContain('/other')
      await forget(screen)
    })

    await test.step('an older version is not newer', async () => {
      feed.publish({ [LIST]: text(feed.signed(listOfBytes('0.0.8', FILE, BYTES))) })
      await check(screen)
      await expect(screen.page.getByText('Parlor is up to date.')).toBeVisible()
      await expect(problem(screen)).toBeHidden()
    })

    await test.step('a disk that fills up in the middle of a download: nothing of it remains', async () => {
      const bytes = 'x'.repeat(20_000_000)
      feed.publish({
        [LIST]: text(feed.signed(listOfBytes('0.0.10', FILE, bytes))),
        [`/${FILE}`]: (response) => {
          response.writeHead(200, { 'content-length': bytes.length }).write(bytes.slice(0, 1_000_000), () => {
            fill(join(disk, 'of another program'))
            response.end(bytes.slice(1_000_000))
          })
        },
      })
      await check(screen)
      await expect(problem(screen)).toHaveText(NO_SPACE)
      expect(filesIn(downloads)).toEqual([])
      await forget(screen)
    })

    await test.step('Parlor works as before, and has requested each file once', async () => {
      await screen.page.keyboard.press('Escape')
      await expect(screen.message(CID, 'Before all of this')).toBeVisible()
      await screen.send(CID, 'After all of this')
      const files = REFUSALS.filter(({ file }) => file !== undefined)
      expect(feed.asked.filter((path) => path === `/${FILE}`)).toHaveLength(files.length + 1)
      await parlor.quit()
    })
  },
)

test('a newer version is fetched and installed when the user asks; one that does not start is replaced by the previous one', async ({
  machine,
  desktop,
}) => {
  await machine.done('dpkg', '--install', older.deb)
  const dialog = await PasswordDialog.on(machine)
  const program = machine.asUser('/opt/Parlor/parlor')
  const broken = await brokenPackage(desktop)
  const parlor = await Started.start(program, desktop)
  await parlor.screen.send(CID, 'Before the update')

  const same = await test.step('without the password nothing changes: Parlor starts again and says so', async () => {
    await feed.publishPackage('0.0.10', broken)
    await openUpdates(parlor.screen)
    await check(parlor.screen)
    await expect(parlor.screen.page.getByText('Version 0.0.10 is downloaded and verified.')).toBeVisible()
    dialog.answer('no')
    const restarted = Restarted.expect(desktop)
    await restart(parlor.screen)
    const next = await restarted()
    await expect(next.screen.message(CID, 'Before the update')).toBeVisible()
    await openUpdates(next.screen)
    await expect(version(next.screen)).toHaveText('Parlor 0.0.9')
    await expect(problem(next.screen)).toHaveText(DECLINED)
    expect(dialog.asked).toBe(1)
    return next
  })

  await test.step('with it, the version is installed from the file that is there; this one does not start', async () => {
    await check(same.screen)
    await expect(same.screen.page.getByText('Version 0.0.10 is downloaded and verified.')).toBeVisible()
    expect(feed.asked.filter((path) => path.endsWith('.deb'))).toHaveLength(1)
    dialog.answer('yes')
    await restart(same.screen)
    await expect.poll(() => existsSync(join(desktop.home, 'started'))).toBe(true)
    await expectEnded(desktop)
    expect(await installedVersion(machine)).toBe('0.0.10')
    expect(dialog.asked).toBe(2)
  })

  const back =
    await test.step('one command restores the previous version, which does not offer the other one again', async () => {
      await machine.done('dpkg', '--install', older.deb)
      const started = await Started.start(program, desktop)
      await expect(started.screen.message(CID, 'Before the update')).toBeVisible()
      await openUpdates(started.screen)
      await check(started.screen)
      await expect(
        started.screen.page.getByText(
          'Version 0.0.10 couldn’t be installed or didn’t start, so it isn’t offered again.',
        ),
      ).toBeVisible()
      return started
    })

  await test.step('the next version is offered, installed and started', async () => {
    await feed.publishPackage('0.1.0', newer.deb)
    await check(back.screen)
    await expect(back.screen.page.getByText('Version 0.1.0 is downloaded and verified.')).toBeVisible()
    const restarted = Restarted.expect(desktop)
    await restart(back.screen)
    const next = await restarted()
    await expect(next.screen.message(CID, 'Before the update')).toBeVisible()
    await openUpdates(next.screen)
    await expect(version(next.screen)).toHaveText('Parlor 0.1.0')
    await next.quit()
    expect(await installedVersion(machine)).toBe('0.1.0')
    expect(await machine.done('dpkg', '--verify', 'parlor')).toBe('')
  })
  dialog.remove()
})

/** Those that the updater looks for, as far as this machine has them. */
const RPM_MANAGERS = ['rpm', 'dnf', 'zypper'].filter((name) => existsSync(join('/usr/bin', name)))

/** Where dpkg is the system's own, rpm's records lie with its user; zypper looks where an rpm system has them. */
const RECORDS_FOR_ZYPPER = 'rm -rf /var/lib/rpm && ln -s "$(rpm --eval %_dbpath)" /var/lib/rpm'

for (const manager of RPM_MANAGERS) {
  test(`an rpm updates itself through ${manager}, with its data`, LONG, async ({ machine, desktop }) => {
    if (manager === 'zypper') {
      await machine.done('sh', '-c', RECORDS_FOR_ZYPPER)
      // It installs no package of a signer that it does not know.
      await machine.done('rpmkeys', '--import', packages.publicKey)
    }
    await machine.done('rpm', '--install', await systemRpm(older.rpm))
    await machine.done('rpm', '--install', older.rpm)
    const dialog = await PasswordDialog.on(machine)
    // Without it, the updater takes the first that is installed.
    const choice = `ELECTRON_BUILDER_LINUX_PACKAGE_MANAGER=${manager}`
    const parlor = await Started.start(machine.asUser('env', choice, '/opt/Parlor/parlor'), desktop)
    await parlor.screen.send(CID, 'Before the update')
    await feed.publishPackage(newer.version, newer.rpm)
    await openUpdates(parlor.screen)
    await check(parlor.screen)
    await expect(parlor.screen.page.getByText('Version 0.1.0 is downloaded and verified.')).toBeVisible()
    dialog.answer('yes')
    const restarted = Restarted.expect(desktop)
    await restart(parlor.screen)
    const next = await restarted()
    await expect(next.screen.message(CID, 'Before the update')).toBeVisible()
    await openUpdates(next.screen)
    await expect(version(next.screen)).toHaveText('Parlor 0.1.0')
    await next.quit()
    expect(dialog.asked).toBe(1)
    expect(await machine.done('rpm', '--query', 'parlor')).toBe('parlor-0.1.0-1.x86_64\n')
    expect(await machine.done('rpm', '--verify', '--nodeps', 'parlor')).toBe('')
    dialog.remove()
  })
}

test('an AppImage replaces itself by the newer one, without a password', LONG, async ({ machine, desktop }) => {
  test.skip(older.appImage === undefined, 'This machine cannot make AppImages.')
  const folder = join(desktop.home, 'programs')
  mkdirSync(folder)
  const path = join(folder, basename(older.appImage ?? ''))
  copyFileSync(older.appImage ?? '', path)
  execFileSync('chown', ['-R', `${ORDINARY_USER}:${ORDINARY_USER}`, folder])
  const parlor = await Started.start(machine.asUser(path), desktop)
  await parlor.screen.send(CID, 'Before the update')
  await feed.publishPackage(newer.version, newer.appImage ?? '')
  await openUpdates(parlor.screen)
  await check(parlor.screen)
  await expect(parlor.screen.page.getByText('Version 0.1.0 is downloaded and verified.')).toBeVisible()
  const restarted = Restarted.expect(desktop)
  await restart(parlor.screen)
  const next = await restarted()
  await expect(next.screen.message(CID, 'Before the update')).toBeVisible()
  await openUpdates(next.screen)
  await expect(version(next.screen)).toHaveText('Parlor 0.1.0')
  await next.quit()
  expect(readdirSync(folder)).toEqual([basename(newer.appImage ?? '')])
})

/** In bytes: room for the reserve and one download. */
const DISK = 130_000_000

/** Another program writes until the disk is full. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  const piece = Buffer.alloc(1_000_000)
  try {
    while (writeSync(file, piece) > 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}

const filesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

async function openUpdates({ page }: Screen): Promise<void> {
  await page.keyboard.press('Control+,')
  await page.getByRole('link', { name: 'App and system' }).click()
}

/** The button ignores clicks while a check is still ending: it is clicked until the list is requested. */
async function check({ page }: Screen): Promise<void> {
  const before = listsAsked()
  await expect(async () => {
    await page.getByRole('button', { name: 'Check for updates' }).click({ timeout: 2_000 })
    await expect.poll(listsAsked, { timeout: 2_000 }).toBeGreaterThan(before)
  }).toPass()
}
const listsAsked = (): number => feed.asked.filter((path) => path === LIST).length

const restart = ({ page }: Screen): Promise<void> =>
  page.getByRole('main').getByRole('button', { name: 'Restart to update' }).click()
const problem = ({ page }: Screen) => page.getByRole('main').getByRole('alert')
const version = ({ page }: Screen) => page.getByText(/^Parlor \d+\.\d+\.\d+$/).first()

/** Resets the state between two refusals: the found version is skipped, and a check runs normally. */
async function forget(screen: Screen): Promise<void> {
  const skip = screen.page.getByRole('main').getByRole('button', { name: 'Skip this version' })
  if (await skip.isVisible()) await skip.click()
  feed.publish({ [LIST]: text(feed.signed(listOfBytes(older.version, FILE, BYTES))) })
  await check(screen)
  await expect(screen.page.getByText('Parlor is up to date.')).toBeVisible()
  await expect(problem(screen)).toBeHidden()
}

/** A package whose program ends at once. */
async function brokenPackage({ home }: Desktop): Promise<string> {
  const folder = join(home, 'broken')
  mkdirSync(join(folder, 'DEBIAN'), { recursive: true })
  mkdirSync(join(folder, 'opt/Parlor'), { recursive: true })
  const program = `#!/bin/sh\necho started >> '${home}/started'\nexit 1\n`
  writeFileSync(join(folder, 'opt/Parlor/parlor'), program, { mode: 0o755 })
  const control =
    'Package: parlor\nVersion: 0.0.10\nArchitecture: amd64\nMaintainer: test\nDescription: does not start\n'
  writeFileSync(join(folder, 'DEBIAN/control'), control)
  const path = join(home, FILE)
  execFileSync('dpkg-deb', ['--root-owner-group', '--build', folder, path], { stdio: 'ignore' })
  return path
}

const installedVersion = (machine: { done(...command: string[]): Promise<string> }): Promise<string> =>
  machine.done('dpkg-query', '--show', '--showformat=${Version}', 'parlor')
