import { userInfo } from 'node:os'
import type { CommandCapability } from '../host.ts'

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
