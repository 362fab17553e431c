import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { thisOs } from './profile.ts'

const run = promisify(execFile)

/**
 * Marks a file as one that came from elsewhere, so that the system and its programs are careful with it: the zone of
 * Windows, the quarantine of macOS. Linux has no such mark.
 */
export async function markForeign(path: string, os: ReturnType<typeof thisOs> = thisOs()): Promise<void> {
  try {
    // A second stream of the same file; other disks than NTFS have none.
    if (os === 'windows') await writeFile(`${path}:Zone.Identifier`, '[ZoneTransfer]\r\nZoneId=3\r\n')
    else if (os === 'macos') await run('/usr/bin/xattr', ['-w', 'com.apple.quarantine', '0081;00000000;Parlor;', path])
  } catch {
    // A disk without marks: what may be opened at all was decided without them.
  }
}
