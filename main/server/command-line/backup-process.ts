import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { NoRoom } from '../store/scheduled-backups.ts'
import { DISK_FULL } from './arguments.ts'

/**
 * Makes a backup in a process of its own, so that a big one does not keep people waiting.
 *
 * @param program what runs the server program, after the executable
 */
export async function backUpInProcess(
  { program, dataFolder }: { readonly program: readonly string[]; readonly dataFolder: string },
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const child = spawn(process.execPath, [...program, 'backup', file, '--data', dataFolder], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  let said = ''
  child.stderr.on('data', (part: Buffer) => (said += part.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code === 0) return
  throw said.includes(DISK_FULL) ? new NoRoom() : new Error('the backup failed')
}
