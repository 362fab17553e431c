import { AppError } from '#shared/lib/app-error.ts'
import type { Core } from '../core.ts'

/** For calls that cannot be queued: they fail at once without a connection. */
export function requireConnection(core: Pick<Core, 'isHealthy'>): void {
  if (!core.isHealthy()) throw new AppError('network/offline')
}
