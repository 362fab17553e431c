import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRoot, ORDINARY_USER } from './kit/installation.ts'
import { CID, expect, Parlor, startAlone, test } from './kit/parlor.ts'

/** Where SQLite stores `user_version` in a file, big-endian. */
const VERSION_AT = 60
/** A version of a later generation of the schema than any that exists. */
const NEWER = 900_000

test('a newer version’s profile, a missing key store and a full disk are reported clearly, and nothing is lost', async ({
  desktop,
}) => {
  test.skip(!isRoot, 'Only root can mount a small disk.')
  const data = join(desktop.home, 'profile')
  mkdirSync(data)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=150m,mode=700,uid=${ORDINARY_USER}`, 'tmpfs', data])
  try {
    const first = await Parlor.start(desktop, 'profile')
    await first.screen.send(CID, 'Written before')
    await first.screen.sent(CID, 'Written before')
    await first.quit()

    await test.step('files of a newer version are not opened and not changed', async () => {
      const files = databasesIn(data)
      expect(files.length).toBeGreaterThan(0)
      const before = files.map((file) => markAsNewer(file))
      const marked = files.map((file) => readFileSync(file))
      const { code, output } = await startAlone(desktop, ['--data', data])
      expect(output).toContain('This profile was created by a newer version of Parlor. Update Parlor to open it.')
      expect(code).toBe(1)
      for (const [at, file] of files.entries()) {
        expect(readFileSync(file).equals(marked[at] ?? Buffer.alloc(0)), file).toBe(true)
        writeFileSync(file, before[at] ?? '')
      }
    })

    desktop.removeWallet()
    const second = await Parlor.start(desktop, 'profile')
    await test.step('without the wallet that encrypted the secrets everything is there, and works', async () => {
      await expect(second.screen.message(CID, 'Written before')).toBeVisible()
      await second.screen.send(CID, 'With a new wallet')
      await second.screen.sent(CID, 'With a new wallet')
    })

    const filling = join(data, 'filling')
    await test.step('on a full disk it says so, and the text stays in its field', async () => {
      fillDisk(filling)
      await second.screen.composer(CID).fill('Written on a full disk')
      await second.screen.composer(CID).press('Enter')
      const said = 'Not sent. The disk is full. Your text stays in the field; free up space and try again.'
      await expect(second.page.getByText(said)).toBeVisible()
      await expect(second.screen.composer(CID)).toHaveValue('Written on a full disk')
    })
    await test.step('it works again once there is room', async () => {
      rmSync(filling)
      await second.screen.composer(CID).press('Enter')
      await expect(second.screen.message(CID, 'Written on a full disk')).toBeVisible()
      await expect(second.screen.message(CID, 'Written on a full disk')).not.toContainText(/Sending|Queued/)
    })
    await second.quit()

    const third = await Parlor.start(desktop, 'profile', ['--password-store=basic'])
    await test.step('without any key store all of it is there, and works', async () => {
      for (const text of ['Written before', 'With a new wallet', 'Written on a full disk']) {
        await expect(third.screen.message(CID, text)).toBeVisible()
      }
      await third.screen.send(CID, 'Without a key store')
      await third.screen.sent(CID, 'Without a key store')
    })
    await third.quit()
  } finally {
    execFileSync('umount', ['--lazy', data])
  }
})

/** The databases of the accounts. */
const databasesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|\/)(cache|outbox)\.db$/.test(name))
    .map((name) => join(folder, name))

/** Returns what was in the file. */
function markAsNewer(file: string): Buffer {
  const before = readFileSync(file)
  const after = Buffer.from(before)
  after.writeUInt32BE(NEWER, VERSION_AT)
  writeFileSync(file, after)
  return before
}

/** Until nothing more can be written. */
function fillDisk(file: string): void {
  for (const part of [1_048_576, 4_096]) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(part))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}
