import type { Host } from '#main/hosts/host.ts'
import type { AccountRef, Profile } from '#main/settings/profile.ts'
import { writeCredential } from './credential.ts'
import { readHosted } from './hosted.ts'
import type { LaunchOptions } from '../launch-options.ts'
import { DEMO_PERSON } from '../local-workspace/local-workspace.ts'

/** The account shown first, the credential if it came from the command line, and whether the profile stores it. */
export type Start = { readonly ref: AccountRef | undefined; readonly credential?: string; readonly save: boolean }

/**
 * The command line first, then the account of the last run; a profile without one shows the start page. A server given on
 * the command line is stored like one from the sign-in form, and so is the demo; a user of the local workspace applies to
 * this run only.
 */
export async function startOf(options: LaunchOptions, profile: Profile, host: Host): Promise<Start> {
  if (options.connect) {
    const { ref } = await readHosted(options.connect, host)
    return { ref, credential: writeCredential(options.connect.credential), save: true }
  }
  const { asUserId, demo } = options
  const stored = profile.account ?? profile.accounts[0]?.ref
  if (asUserId !== undefined) {
    const ref = stored?.kind === 'own' ? { ...stored, userId: asUserId } : { kind: 'demo' as const, userId: asUserId }
    return { ref, save: false }
  }
  const known = profile.accounts.find(({ ref }) => ref.kind === 'demo')?.ref
  return { ref: demo === true ? (known ?? { kind: 'demo', userId: DEMO_PERSON }) : stored, save: true }
}
