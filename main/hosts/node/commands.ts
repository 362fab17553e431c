import { execFile } from 'node:child_process'
import { userInfo } from 'node:os'
import type { CommandCapability } from '../host.ts'

const TIMEOUT_MS = 15_000
const MAX_OUTPUT_BYTES = 64 * 1024

/** Runs programs without a shell: arguments are passed as they are. */
export const nodeCommands: CommandCapability = {
  run: ([program = '', ...rest]) =>
    new Promise((resolve, reject) => {
      if (program === '') return reject(new Error('there is no such program'))
      const options = { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, windowsHide: true }
      execFile(program, rest, options, (error, output) => {
        // Its output may contain part of a token: it is never in the message.
        if (error) reject(new Error(reasonOf(error)))
        else resolve(output)
      }).stdin?.end()
    }),
}

function reasonOf(error: Error & { code?: unknown; killed?: boolean }): string {
  if (error.killed) return 'it took too long'
  if (error.code === 'ENOENT') return 'there is no such program'
  return `it ended with ${typeof error.code === 'number' || typeof error.code === 'string' ? error.code : 'an error'}`
}

/**
 * The full name of the user's account: the user database on Linux, `id` on macOS, the account itself on Windows, whose
 * name usually is that of the person. Empty if the account has none: a sign-in name is no name of a person.
 */
export async function systemName(
  os: 'windows' | 'macos' | 'linux',
  commands: CommandCapability,
  account: () => { readonly username: string; readonly uid: number } = userInfo,
): Promise<string> {
  try {
    const { username, uid } = account()
    if (os === 'windows') return username.trim()
    const name =
      os === 'macos'
        ? await commands.run(['id', '-F'])
        : ((await commands.run(['getent', 'passwd', String(uid)])).split(':')[4] ?? '').split(',')[0]
    const trimmed = (name ?? '').trim()
    return trimmed.toLowerCase() === username.toLowerCase() ? '' : trimmed
  } catch {
    // No such program, or an account outside the user database.
    return ''
  }
}
