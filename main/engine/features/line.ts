import { AppError } from '#shared/lib/app-error.ts'
import type { Core } from '../core.ts'

/** Calls that are not wishes need a connection, and say so at once. */
export function requireLine(core: Pick<Core, 'isHealthy'>): void {
  if (!core.isHealthy()) throw new AppError('network/offline')
}
