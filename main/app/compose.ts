import { createEngine } from '#main/engine/engine.ts'
import type { Host } from '#main/hosts/host.ts'
import type { Composed, LaunchOptions } from './launch-options.ts'
import { openWorkbench } from './workbench.ts'

/**
 * Parlor on a host. Called once by an entry, after it has taken the profile lock.
 *
 * Throws an `AppError` when what the person asked for cannot be: `session/invalid-url`, `session/token-empty`,
 * `session/token-mismatch`, `store/from-the-future`, `store/unwritable`, `disk/full`.
 */
export const compose = (host: Host, options: LaunchOptions): Promise<Composed> =>
  openWorkbench(host, options, { openEngine: createEngine })
