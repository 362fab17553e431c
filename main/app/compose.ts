import { createEngine } from '#main/engine/engine.ts'
import type { Host } from '#main/hosts/host.ts'
import type { Composed, LaunchOptions } from './launch-options.ts'
import { inPlainText } from './start-failure.ts'
import { openApp } from './open-app.ts'

/**
 * Starts Parlor on a host. Called once by an entry, after it has taken the profile lock.
 *
 * Rejects with an `AppError` with a plain-text message if the launch options cannot be fulfilled:
 * `session/invalid-url`, `session/token-empty`, `session/token-mismatch`, `store/from-the-future`, `disk/full`.
 */
export async function compose(host: Host, options: LaunchOptions): Promise<Composed> {
  try {
    return await openApp(host, options, { openEngine: createEngine })
  } catch (error) {
    throw inPlainText(error, host.paths.resources)
  }
}
