import type { Policies } from '#shared/domain/desktop/policies.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { isReading } from '#shared/rules/channels/guests.ts'
import type { ClientWindow } from '#main/hosts/host.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { isGuest } from '../accounts/account.ts'
import { policyGate } from '../policies/gate.ts'

type GateOptions = {
  readonly policies: Policies
  readonly lock: { check(call: string): void }
  /** The areas that no engine handles. */
  readonly own: ReadonlySet<string>
  /** The account that a window shows. */
  readonly shown: (window: ClientWindow) => AccountRef | undefined
}

/** For the dispatcher: refuses calls that are not allowed, whatever the window offers. Throws the reason. */
export function callGates({
  policies,
  lock,
  own,
  shown,
}: GateOptions): (call: string, input: unknown, window: ClientWindow) => void {
  const policy = policyGate(policies)
  return (call, input, window) => {
    lock.check(call)
    const [area = ''] = call.split('.')
    const ref = own.has(area) ? undefined : shown(window)
    if (ref && isGuest(ref) && !isReading(call)) throw new AppError('session/guest')
    policy(call, input)
  }
}
